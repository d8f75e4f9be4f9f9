import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { secretText, signatureHeaders } from "@/lib/features/events/delivery/send";
import { readAuditBatch, readWebhook } from "@/sdk/src/index.js";

const secret = randomBytes(24);
const former = randomBytes(24);
const body = JSON.stringify({ type: "gatehouse.user.locked", text: "ü 😀" });

/** A delivery as the service signs it. */
const delivery = (secrets = [secret], sentAt = new Date()) => ({
  headers: signatureHeaders(secrets, "msg_1", sentAt, body),
  body,
});

describe("a delivery of a webhook", () => {
  test("is read with the secret that the service signed it with", async () => {
    expect(await readWebhook(secretText(secret), delivery())).toEqual(JSON.parse(body));
    const headers = new Headers(delivery().headers);
    expect(await readWebhook(secretText(secret), { headers, body })).toEqual(JSON.parse(body));
  });

  test("is read with either secret during a rotation", async () => {
    for (const one of [secret, former])
      expect(await readWebhook(secretText(one), delivery([secret, former]))).toBeDefined();
  });

  test.each([
    ["another secret", () => delivery([former])],
    ["another body", () => ({ ...delivery(), body: body.replace("locked", "unlocked") })],
    ["another id", () => withHeader("webhook-id", "msg_2")],
    [
      "another time",
      () => withHeader("webhook-timestamp", String(60 + Math.floor(Date.now() / 1000))),
    ],
    ["a time that is no number", () => withHeader("webhook-timestamp", "now")],
    ["an age of six minutes", () => delivery([secret], new Date(Date.now() - 360_000))],
    ["a time six minutes ahead", () => delivery([secret], new Date(Date.now() + 360_000))],
    ["no signature", () => withHeader("webhook-signature", "")],
    ["a signature of another version", () => withHeader("webhook-signature", "v2,AAAA")],
    ["a signature that is not base64", () => withHeader("webhook-signature", "v1,@@")],
  ])("is rejected with %s", async (_, make) => {
    await expect(readWebhook(secretText(secret), make())).rejects.toThrow(
      expect.objectContaining({ name: "WebhookError" }),
    );
  });
});

const withHeader = (name: string, value: string) => {
  const { headers } = delivery();
  return { headers: { ...headers, [name]: value }, body };
};

test("a batch of an audit stream is read as its entries, and rejected with another secret", async () => {
  const entries = [{ id: "aud_1" }, { id: "aud_2" }];
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  const headers = signatureHeaders([secret], "ast_1-1-2", new Date(), text);
  const batch = { headers, body: text };
  expect(await readAuditBatch(secretText(secret), batch)).toEqual(entries);
  await expect(readAuditBatch(secretText(former), batch)).rejects.toThrow("signature");
});
