import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";

/*
 * Gets from the one-time password that the first start prints to a first call: signs in, replaces the password, creates an API
 * key for 30 days and prints a curl command with it. Uses a running server only over HTTP.
 */

const { values } = parseArgs({
  options: {
    url: { type: "string", default: `http://localhost:${process.env.PORT || 3000}` },
    tenant: { type: "string", default: "demo" },
    login: { type: "string", default: "admin" },
    "new-password": { type: "string" },
  },
});
const url = values.url.replace(/\/$/, "");
const { tenant, login } = values;
const keyDays = 30;

/** Sends JSON and returns the response. Throws an error with a message for users. */
async function send(operation, { session, body }) {
  const [method, path] = operation.split(" ");
  const headers = { "X-Service-Tenant": tenant, "Content-Type": "application/json" };
  if (session) headers["X-Service-Session-Id"] = session;
  const sent = method === "GET" ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url + path, { method, headers, ...sent }).catch(() => {
    throw new Error(`Nothing answers at ${url}. Start Gatehouse, or name its address: --url URL`);
  });
  const text = await response.text();
  if (response.ok) return text === "" ? undefined : JSON.parse(text);
  const { detail } = JSON.parse(text);
  throw new Error(`${operation}: ${response.status} ${detail}`);
}

/** The password is read from standard input, so that it is not in the process list or the shell history. */
async function readPassword() {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    if (process.stdin.isTTY) return (await lines.question(`Password of ${login}: `)).trim();
    for await (const line of lines) return line.trim();
    throw new Error("There is no password on standard input.");
  } finally {
    lines.close();
  }
}

async function createKey() {
  const password = await readPassword();
  const { sessionId: session } = await send("POST /v1/user/session-login", {
    body: { tenant, login, password },
  });
  const { passwordChangeRequired } = await send("GET /v1/user/session", { session });
  const own = values["new-password"] ?? randomBytes(15).toString("base64url");
  if (passwordChangeRequired)
    await send("PUT /v1/user/password", { session, body: { current: password, password: own } });
  const now = Date.now();
  const validTo = new Date(now + keyDays * 86_400_000).toISOString();
  const name = `first-key ${new Date(now).toISOString()}`;
  const { apiKey } = await send("POST /v1/user/profile/api-keys", {
    session,
    body: { name, validTo },
  });
  await send("DELETE /v1/user/session", { session });
  return [
    ...(passwordChangeRequired ? [`New password of ${login}:  ${own}`] : []),
    `API key until ${validTo.slice(0, 10)}:  ${apiKey}`,
    "Shown only here. The first call:",
    "",
    `  curl '${url}/v1/user/list?limit=5' -H 'X-Service-Tenant: ${tenant}' -H 'X-Service-API-Key: ${apiKey}'`,
    "",
  ];
}

try {
  process.stdout.write(`${(await createKey()).join("\n")}\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
