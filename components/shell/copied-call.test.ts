import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf, fetchOf } from "./copied-call";
import type { ViewCall } from "./view-call";

const place = { tenant: "acme", origin: "https://portal.example" };
const call: ViewCall = {
  operation: "GET /v1/user/list",
  site: "eu",
  query: { q: "O'Hara & $(id) 50%", sort: "-name" },
};

test("a shell reads the copied curl as it was meant, whatever was searched for", () => {
  const script = `curl() { printf '%s\\n' "$@"; }\n${curlOf(call, place)}`;
  const words = execFileSync("sh", ["-c", script], {
    env: { ...process.env, API_KEY: "svk_1" },
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n");
  expect(words).toEqual([
    "--get",
    "https://portal.example/v1/user/list",
    "-H",
    "X-Service-Tenant: acme",
    "-H",
    "X-Service-Site: eu",
    "-H",
    "X-Service-API-Key: svk_1",
    "--data-urlencode",
    "q=O'Hara & $(id) 50%",
    "--data-urlencode",
    "sort=-name",
  ]);
});

test("the copied fetch asks for the same, and for a session where no key is accepted", () => {
  expect(fetchOf(call, place)).toContain(
    'fetch("https://portal.example/v1/user/list?q=O%27Hara+%26+%24%28id%29+50%25&sort=-name", {',
  );
  const requests = { operation: "GET /v1/requests", needsSession: true } as const;
  expect(fetchOf(requests, place)).toContain('"X-Service-Session-Id": process.env.SESSION');
  expect(curlOf(requests, place)).toContain('-H "X-Service-Session-Id: $SESSION"');
});
