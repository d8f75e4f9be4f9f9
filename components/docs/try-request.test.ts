import { afterEach, describe, expect, test, vi } from "vitest";
import {
  curlOf,
  listCredentials,
  listFields,
  missingOf,
  requestOf,
  startOf,
  type TriedOperation,
  tryRequest,
} from "./try-request";

const operation: TriedOperation = {
  method: "PATCH",
  path: "/v1/user/{id}",
  address: "https://gatehouse.example",
  parameters: [
    { name: "X-Service-Tenant", place: "header", required: true },
    { name: "If-Match", place: "header", required: false },
    { name: "id", place: "path", required: true },
    { name: "fields", place: "query", required: false },
  ],
  body: { example: '{"name":"Ada"}', mediaType: "application/json" },
  accepts: ["session", "apiKey", "bearer"],
  needsTenant: true,
  needsSite: true,
  isChange: true,
  tenant: "demo",
  site: "eu-store",
  isSignedIn: true,
};

const filled = {
  ...startOf(operation),
  values: { "path id": "user_1/2", "query fields": "+state", "header If-Match": '"a"' },
};

afterEach(() => vi.unstubAllGlobals());

describe("a request that is tried", () => {
  test("is sent with the reader's cookie and without a secret", () => {
    expect(requestOf(operation, filled)).toEqual([
      "/v1/user/user_1%2F2?fields=%2Bstate",
      expect.objectContaining({
        method: "PATCH",
        credentials: "same-origin",
        body: '{"name":"Ada"}',
        headers: [
          ["X-Service-Tenant", "demo"],
          ["X-Service-Site", "eu-store"],
          ["If-Match", '"a"'],
          ["Content-Type", "application/json"],
        ],
      }),
    ]);
  });

  test("with a typed key is sent without the cookie, and the command does not show the key", () => {
    const byKey = { ...filled, credential: "apiKey" as const, secret: " svk_secret " };
    const [, init] = requestOf(operation, byKey);
    expect(init.credentials).toBe("omit");
    expect(init.headers).toContainEqual(["X-Service-API-Key", "svk_secret"]);
    expect(curlOf(operation, byKey)).toContain('-H "X-Service-API-Key: $API_KEY"');
    expect(curlOf(operation, byKey)).not.toContain("svk_secret");
  });

  test("quotes for the shell what the reader typed", () => {
    const odd = { ...filled, values: { ...filled.values, "header If-Match": "'$(id)' $HOME" } };
    expect(curlOf(operation, odd)).toContain("-H 'If-Match: '\\''$(id)'\\'' $HOME'");
  });

  test("requires the required parameters; those of tenant and site are not fields of the form", () => {
    expect(listFields(operation).map(({ name }) => name)).toEqual(["id", "fields", "If-Match"]);
    expect(missingOf(operation, startOf(operation))).toEqual(["id"]);
    expect(missingOf(operation, filled)).toEqual([]);
  });

  test("offers the session only to signed-in users", () => {
    expect(listCredentials(operation)).toEqual(["own", "apiKey", "bearer"]);
    expect(listCredentials({ ...operation, isSignedIn: false })).toEqual(["apiKey", "bearer"]);
    expect(listCredentials({ ...operation, accepts: [] })).toEqual(["none"]);
  });

  test("shows status, headers and the beginning of a long body", async () => {
    const answer = (body: string) => async () =>
      new Response(body, { status: 404, headers: { "X-Service-Request-Id": "r1" } });
    vi.stubGlobal("fetch", answer('{"code":"user.not-found"}'));
    expect(await tryRequest(operation, filled)).toMatchObject({
      status: 404,
      body: '{\n  "code": "user.not-found"\n}',
      isCut: false,
    });
    vi.stubGlobal("fetch", answer("x".repeat(300_000)));
    const long = await tryRequest(operation, filled);
    expect([long.body.length, long.isCut]).toEqual([200_000, true]);
    expect(long.headers).toContainEqual(["x-service-request-id", "r1"]);
  });
});
