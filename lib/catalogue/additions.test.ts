import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { openApi } from "./openapi";
import { namedOperations } from "./operations";
import { additionsBetween, withAdditions } from "./testing/additions";
import type { DocumentNode } from "./testing/document-node";

const current = (): DocumentNode =>
  JSON.parse(JSON.stringify(openApi(namedOperations, "https://gatehouse.example")));

test("every operation is in the stored document, and so in the changelog", async () => {
  const kept = await readFile(join(projectRoot(), "docs/api/v1.json"), "utf8");
  const missing = additionsBetween(JSON.parse(kept), current());
  const remedy = "Run KEEP_API=1 npx vitest run lib/catalogue/breaking-changes";
  expect(
    missing.filter(({ kind }) => kind === "operation"),
    remedy,
  ).toEqual([]);
});

test("finds additions, and reports one found in several places once", () => {
  const grown = current();
  grown.paths["/v1/user/list"].post = { summary: "Search users" };
  grown.paths["/v1/user/list"].get.parameters.push({ name: "kind", in: "query" });
  grown.paths["/v1/user/list"].get["x-error-codes"]["409"] = ["user.erased"];
  grown.paths["/v1/user/roles"].get["x-error-codes"]["409"] = ["user.erased"];
  grown.components.schemas.User.properties.nickname = { type: "string" };
  grown.components.schemas.PreferencesInput.properties.theme.enum.push("sepia");
  expect(additionsBetween(current(), grown)).toEqual(
    expect.arrayContaining([
      { kind: "operation", added: "Search users", at: ["POST /v1/user/list"] },
      { kind: "parameter", added: "?kind", at: ["GET /v1/user/list"] },
      { kind: "error", added: "409 user.erased", at: ["GET /v1/user/list", "GET /v1/user/roles"] },
      { kind: "field", added: "nickname", at: ["User"] },
      { kind: "value", added: "theme: sepia", at: ["PreferencesInput"] },
    ]),
  );
  expect(additionsBetween(current(), current())).toEqual([]);
});

test("additions of one day are one version of the changelog, the newest first", () => {
  const addition = (added: string) => ({ kind: "field" as const, added, at: ["User"] });
  const day = withAdditions([], [addition("a")], "2026-11-22");
  expect(withAdditions(day, [addition("b")], "2026-11-22")).toEqual([
    { date: "2026-11-22", additions: [addition("a"), addition("b")] },
  ]);
  const next = withAdditions(day, [addition("b")], "2026-11-23");
  expect(next.map(({ date }) => date)).toEqual(["2026-11-23", "2026-11-22"]);
  expect(withAdditions(day, [], "2026-11-23")).toEqual(day);
});
