const maxAgeSeconds = 300;

/** Thrown for a delivery that must not be processed. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/** A received delivery: `body` is the raw text. */
export interface Delivery {
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

function headerOf({ headers }: Delivery, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "")
    throw new WebhookError(`The header ${name} is missing.`);
  return value;
}

const bytesOf = (base64: string) =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

async function isSignedBy(secret: string, signature: string, text: string): Promise<boolean> {
  try {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const bytes = bytesOf(secret.replace(/^whsec_/, ""));
    const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
    // Compares in constant time.
    return await crypto.subtle.verify(
      "HMAC",
      key,
      bytesOf(signature),
      new TextEncoder().encode(text),
    );
  } catch {
    return false;
  }
}

/** Throws WebhookError unless the delivery is signed with the secret and at most five minutes old. */
async function assertGenuine(secret: string, delivery: Delivery, now: number): Promise<void> {
  const id = headerOf(delivery, "webhook-id");
  const timestamp = headerOf(delivery, "webhook-timestamp");
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > maxAgeSeconds)
    throw new WebhookError("The delivery is too old, or the clocks differ.");
  const text = `${id}.${timestamp}.${delivery.body}`;
  // During a rotation a delivery is signed with both secrets.
  for (const one of headerOf(delivery, "webhook-signature").split(" ").slice(0, 10)) {
    const [version, signature = ""] = one.split(",");
    if (version === "v1" && (await isSignedBy(secret, signature, text))) return;
  }
  throw new WebhookError("The signature is not of this secret.");
}

/**
 * Checks the signature and the age of a delivery (Standard Webhooks) and returns its event. Throws WebhookError. Deliveries
 * can arrive twice, with the same `webhook-id` header.
 *
 * @example
 * const event = await readWebhook(process.env.WEBHOOK_SECRET, { headers: request.headers, body: await request.text() });
 */
export async function readWebhook(
  secret: string,
  delivery: Delivery,
  now = Date.now(),
): Promise<unknown> {
  await assertGenuine(secret, delivery, now);
  return JSON.parse(delivery.body);
}

/**
 * Checks a batch of an audit stream in the same way and returns its entries, in the order of the chain. Throws WebhookError. An
 * entry can arrive twice, with the same `id`.
 */
export async function readAuditBatch(
  secret: string,
  delivery: Delivery,
  now = Date.now(),
): Promise<unknown[]> {
  await assertGenuine(secret, delivery, now);
  return delivery.body
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
