import { expect, test } from "vitest";
import { namedOperations } from "@/lib/catalogue/operations";
import { commandOf, isCall, operationOf, pastedCall } from "./search";

test.each([
  ["lock ada", "lock", "ada"],
  ["Rotate  ci-eu ", "rotate", "ci-eu"],
  ["lock", undefined, "lock"],
  ["lock ", "lock", ""],
  ["Ada Lock", undefined, "Ada Lock"],
])("the command of %j", (search, verb, words) => {
  expect(commandOf(search)).toEqual({ verb, words });
});

test.each([
  [
    "curl 'https://api.example.com/v1/user/list?q=a' -H 'X-Service-API-Key: svk_x'",
    "GET",
    "/v1/user/list",
  ],
  [
    "curl -sS \"$API/v1/user/profile\" \\\n  -H 'X-Service-Tenant: acme'",
    "GET",
    "/v1/user/profile",
  ],
  [
    "curl -X PUT https://api.example.com/pim/preview/a/configuration -d @a.json",
    "PUT",
    "/pim/preview/a/configuration",
  ],
  [
    "curl https://api.example.com/v1/user/session-login --json '{}'",
    "POST",
    "/v1/user/session-login",
  ],
  ["get /v1/user/list", "GET", "/v1/user/list"],
])("the call of %j", (text, method, path) => {
  expect(pastedCall(text)).toEqual({ method, path });
});

test.each(["ada", "curl", "curl --help", "get me out", "user/list"])("no call in %j", (text) => {
  expect(pastedCall(text)).toBeUndefined();
});

test("a call matches its operation, one without placeholders first", () => {
  const names = namedOperations.map(({ declared }) => declared.operation);
  const find = (method: string, path: string) => operationOf({ method, path }, names);
  expect(find("GET", "/v1/user/list")).toBe("GET /v1/user/list");
  expect(find("HEAD", "/v1/user/user_01/")).toBe("GET /v1/user/{id}");
  expect(find("PUT", "/pim/preview/winter/configuration")).toBe(
    "PUT /pim/preview/{key}/configuration",
  );
  expect(find("GET", "/v2/user/list")).toBeUndefined();
});

test.each([
  ["curl -H 'X-Service-API-Key: svk_", true],
  ["CURL https://api.example.com", true],
  ["GET /v1/user/list", true],
  ["Curl Example", true],
  ["ada", false],
  ["curling", false],
])("%j is recognized as a call, which is never sent: %j", (text, expected) => {
  expect(isCall(text)).toBe(expected);
});
