import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { changelog } from "./changelog";
import { openApi } from "./openapi";
import { namedOperations } from "./operations";
import { additionsBetween, withAdditions } from "./testing/additions";
import { breakingChanges } from "./testing/breaking-changes";
import type { DocumentNode as Schema } from "./testing/document-node";

/**
 * The document last published to clients, and the additions of each day.
 * `KEEP_API=1 npx vitest run lib/catalogue/breaking-changes` updates both. The client's types are generated from the stored document.
 */
const kept = join(projectRoot(), "docs/api/v1.json");
const changes = join(projectRoot(), "docs/api/changes.json");

const current = (): Schema =>
  JSON.parse(JSON.stringify(openApi(namedOperations, "https://gatehouse.example")));

test("/v1 only grows: nothing in the stored document is removed or narrowed, and it is up to date", async () => {
  const older = JSON.parse(await readFile(kept, "utf8"));
  expect(breakingChanges(older, current())).toEqual([]);
  if (process.env.KEEP_API !== "1") return expect(older).toEqual(current());
  const today = new Date().toISOString().slice(0, 10);
  const versions = withAdditions(changelog(), additionsBetween(older, current()), today);
  await writeFile(changes, `${JSON.stringify(versions, undefined, 1)}\n`);
  await writeFile(kept, `${JSON.stringify(current(), undefined, 1)}\n`);
});

const planted: [what: string, change: (document: Schema) => void, found: RegExp][] = [
  [
    "an operation",
    ({ paths }) => {
      delete paths["/v1/user/list"].get;
    },
    /^GET \/v1\/user\/list: is removed$/,
  ],
  [
    "an operationId",
    ({ paths }) => {
      paths["/v1/user/list"].get.operationId = "getUsers";
    },
    /another operationId/,
  ],
  [
    "a kind of credential",
    ({ paths }) => {
      paths["/v1/user/list"].get.security = [{ Session: [] }];
    },
    /no longer accepts ApiKey/,
  ],
  [
    "a parameter",
    ({ paths }) => {
      paths["/v1/user/list"].get.parameters.pop();
    },
    /parameter cursor is removed/,
  ],
  [
    "a response field",
    ({ components }) => {
      delete components.schemas.User.properties.login;
    },
    /login is removed/,
  ],
  [
    "a field that is always there",
    ({ components }) => {
      components.schemas.User.required.shift();
    },
    /id may be missing now/,
  ],
  [
    "the type of a response field",
    ({ components }) => {
      components.schemas.User.properties.lock.type = "string";
    },
    /lock: has other types/,
  ],
  [
    "a request field",
    ({ components }) => {
      delete components.schemas.NewApiKey.properties.sites;
    },
    /sites is no longer accepted/,
  ],
  [
    "an optional request field that becomes required",
    ({ components }) => {
      components.schemas.NewApiKey.required.push("sites");
    },
    /sites is required now/,
  ],
  [
    "a bound of a request field",
    ({ components }) => {
      components.schemas.NewApiKey.properties.name.maxLength = 64;
    },
    /narrower maxLength/,
  ],
  [
    "a value of a request field",
    ({ components }) => {
      components.schemas.PreferencesInput.properties.theme.enum.pop();
    },
    /accepts fewer values/,
  ],
  [
    "a media type of a response",
    ({ paths }) => {
      delete paths["/v1/audit/export"].get.responses[200].content["text/csv"];
    },
    /no longer has text\/csv/,
  ],
];

test.each(planted)("finds the removal of %s", (_, change, found) => {
  const changed = current();
  change(changed);
  expect(breakingChanges(current(), changed)).toEqual(
    expect.arrayContaining([expect.stringMatching(found)]),
  );
});

test("allows additions to the document", () => {
  const grown = current();
  grown.components.schemas.User.properties.nickname = { type: "string" };
  grown.components.schemas.User.required.push("nickname");
  grown.components.schemas.NewApiKey.properties.comment = { type: "string" };
  grown.components.schemas.NewApiKey.properties.name.maxLength = 256;
  grown.paths["/v1/new"] = { get: {} };
  expect(breakingChanges(current(), grown)).toEqual([]);
});
