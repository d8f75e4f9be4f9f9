import { FastResponse } from "srvx/node";
import { describe, expect, test } from "vitest";
import { findRoute } from "./routes";
import { tableFrom, tableOf } from "./testing/table";

const handler = async () => new FastResponse("");
const folders = [
  "v1/users",
  "v1/users/list",
  "v1/users/[id]",
  "v1/users/[id]/keys/[key]",
  "v1/files/[...path]",
  "v1/[[...path]]",
  "(portal)/export",
  ".well-known/jwks.json",
  "api/auth/[...nextauth]",
];
const table = await tableOf(
  Object.fromEntries(folders.map((folder) => [folder, { GET: handler }])),
);
const templateOf = (path: string) => findRoute(table, path)?.template;

describe("a path finds the most specific folder", () => {
  test.each([
    ["/v1/users", "/v1/users"],
    ["/v1/users/list", "/v1/users/list"],
    ["/v1/users/7", "/v1/users/{id}"],
    ["/v1/users/7/keys/8", "/v1/users/{id}/keys/{key}"],
    ["/v1/users/list/keys/8", "/v1/users/{id}/keys/{key}"],
    ["/v1/users/7/keys", "/v1/{path}"],
    ["/v1/files/a/b", "/v1/files/{path}"],
    ["/v1/files", "/v1/{path}"],
    ["/v1", "/v1/{path}"],
    ["/export", "/export"],
    ["/.well-known/jwks.json", "/.well-known/jwks.json"],
  ])("%s -> %s", (path, template) => {
    expect(templateOf(path)).toBe(template);
  });

  test.each(["/", "/api/auth/session", "/export/", "/portal", "/v2"])("%s is nobody's", (path) => {
    expect(templateOf(path)).toBeUndefined();
  });
});

test("a route without its own handler for a method is rejected at the start", async () => {
  await expect(tableFrom({ "v1/half": { GET: handler } })).rejects.toThrow(
    "does not export HEAD, POST",
  );
});
