import { expect, test } from "vitest";
import { redact, redactPath, redactReason } from "./note";

// Joined from parts, so that secret scanners do not report this file.
const jwt = ["eyJhbGciOi", "eyJzdWIiOi", "sig"].join(".");

test.each([
  ["a JWT, however short", jwt, "..."],
  ["a JWT cut off after its header", "eyJhbGciOi", "..."],
  ["a session", `svs_${"a".repeat(20)}`, "svs_..."],
  ["an API key", `svk_${"a".repeat(20)}`, "svk_..."],
  ["a word of 40 characters", "a".repeat(40), "..."],
])("removes %s", (_, secret, shown) => {
  expect(redact(`/v1/user/list?q=${secret}&limit=1`)).toBe(`/v1/user/list?q=${shown}&limit=1`);
});

test.each([
  ["/v1/customers/jane.doe@corp.io", "/v1/customers/..."],
  ["/v1/customers/jane.doe%40corp.io/lock", "/v1/customers/.../lock"],
  ["/v1/user/jane%2540corp.io", "/v1/user/..."],
  ["/v1/customers/jane+news@corp.io@x/sites/a@b", "/v1/customers/.../sites/..."],
  ["/v1/user/@/roles", "/v1/user/@/roles"],
  ["/v1/customers/jane%EF%BC%A0corp.io", "/v1/customers/..."],
  ["/v1/customers/jane%25ef%25b9%25abcorp.io", "/v1/customers/..."],
])("removes the e-mail address from the path %s", (path, shown) => {
  expect(redactPath(path)).toBe(shown);
});

test.each([
  ["?jane.doe@corp.io", "?..."],
  ["/name,/roles/sites/jane.doe@corp.io,/b", "/name,/roles/sites/...,/b"],
  ["api-metric.read", "api-metric.read"],
])("removes the e-mail address used as a member or parameter name in %s", (reason, shown) => {
  expect(redactReason(reason)).toBe(shown);
});

test("retains other text, up to 256 characters and without NUL", () => {
  expect(redact("/v1/user/list?q=eyes\0")).toBe("/v1/user/list?q=eyes");
  expect(redact("/a".repeat(200))).toHaveLength(256);
});
