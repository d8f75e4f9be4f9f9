import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rateLimits } from "@/lib/access/rate-limits";
import { type Inline, textOf } from "@/lib/catalogue/guides/guide";
import { readGuideSources } from "@/lib/catalogue/guides/parse";
import { operations } from "@/lib/catalogue/operations";
import { projectRoot } from "@/lib/database/data-dir";
import { retryDelayMs } from "@/lib/features/events/delivery/attempt";
import { quotas } from "@/lib/features/quotas/values";
import { testServer } from "@/lib/http/testing/test-server";
import { errorCodes } from "@/lib/protocol/error-codes";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { buildClient } from "@/sdk/build.mjs";
import {
  codeOf,
  exampleDifferences,
  outputsOf,
  scriptOf,
  shapeDifferences,
} from "./testing/guide-script";

const send = testServer();
const guides = readGuideSources();
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let variables: Record<string, string>;

/** A tenant as created by the first start: two sites, an administrator with a one-time password, and another user. */
async function makeDemo(): Promise<Record<string, string>> {
  const tenant = await makeTenant({ siteIds: ["eu-store", "us-store"] });
  const roleIds = ["tenant.admin"];
  const password = "one-time-4f8a2c";
  const row = {
    mustChangePassword: true,
    passwordExpiresAt: new Date(Date.now() + 3_600_000),
  };
  await makeUser(tenant, { login: "admin", name: "Administrator", roleIds, password, row });
  await makeUser(tenant, { login: "mara", name: "Mara Lind", roleIds: ["portal.catalog.mgmt"] });
  const ownPassword = "four words in a row";
  const { userId } = await makeUser(tenant, { login: "ola", roleIds, password: ownPassword });
  const { sessionId } = await makeSession(tenant, userId);
  const { apiKey } = await makeApiKey(tenant, userId);
  const given = { TENANT: tenant, PASSWORD: password, SESSION: sessionId, API_KEY: apiKey };
  return { ...given, OWN_PASSWORD: ownPassword };
}

const folder = mkdtempSync(join(tmpdir(), "gatehouse-guides-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The client as a reader installs it. */
async function packClient(): Promise<void> {
  const source = join(folder, "client");
  mkdirSync(source);
  copyFileSync(join(projectRoot(), "sdk/package.json"), join(source, "package.json"));
  await buildClient(join(source, "dist"));
}

beforeAll(async () => {
  variables = await makeDemo();
  await packClient();
});

/** Rewrites an example for the demo on a reader's machine to this test's tenant and server. */
const adapt = (text: string) =>
  text
    .replaceAll("http://localhost:3000", send.url())
    .replaceAll("the printed one-time password", variables.PASSWORD ?? "")
    .replace(/\bTENANT=demo\b/g, `TENANT=${variables.TENANT}`)
    .replaceAll("npm install @gatehouse/client", "npm install --offline --silent ./client")
    .replaceAll('"demo"', `"${variables.TENANT}"`);

describe.runIf(hasCurl)("the code of a guide works as written, from top to bottom", () => {
  test.each(guides.map((guide) => [guide.name, guide] as const))("%s", async (_, guide) => {
    const blocks = codeOf(guide).map((block) => ({ ...block, text: adapt(block.text) }));
    const { PATH = "" } = process.env;
    const { PASSWORD: _password, ...given } = variables;
    const own = {
      API: send.url(),
      SITE: "eu-store",
      GATEHOUSE_CONFIG: join(folder, "config.json"),
      // npm's messages about the settings of this machine are not part of the guide.
      npm_config_loglevel: "silent",
    };
    const env = { NODE_ENV: "test" as const, PATH, ...own, ...given };
    const { stdout, stderr } = await promisify(execFile)("sh", ["-eu", "-c", scriptOf(blocks)], {
      cwd: folder,
      env,
      maxBuffer: 16_000_000,
    });
    expect(stderr).toBe("");
    expect(exampleDifferences(blocks, outputsOf(stdout)), stdout).toEqual([]);
  });
});

test("an example that differs from the response is detected", () => {
  const answered = [{ id: "a", n: 1, tags: ["x"], none: null }];
  expect(shapeDifferences([{ id: "b", n: 2, tags: [], none: "x" }], answered)).toEqual([]);
  expect(shapeDifferences([{ id: "b", n: "2", tags: [], none: null }], answered)).toEqual([
    "/0/n: has another type",
  ]);
  expect(shapeDifferences([{ id: "b", tags: [], none: null, more: 1 }], answered)).toEqual(
    ["/0/more: only the example has it", "/0/n: the example lacks it"].sort(),
  );
});

const textsOf = (parts: Inline[]): Inline[] =>
  parts.flatMap((part) => ("children" in part ? [part, ...textsOf(part.children)] : [part]));

/** Every piece of text in a guide. */
const inlineOf = (guide: (typeof guides)[number]): Inline[] =>
  textsOf([
    ...guide.lead,
    ...guide.sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) => {
        if (block.type === "paragraph") return block.children;
        if (block.type === "list") return block.items.flat();
        return block.type === "table" ? [block.head, ...block.rows].flat(2) : [];
      }),
    ),
  ]);

test("operations and error codes in a guide exist", () => {
  const known = new Set<string>([
    ...operations.map(({ operation }) => operation),
    ...Object.keys(errorCodes),
  ]);
  const named =
    /^(?:(?:GET|POST|PUT|PATCH|DELETE) \/(?:v1|pim)\/\S+|(?:auth|request|user|precondition|idempotency|rate-limit|quota|customer|preview|metrics|server)\.[a-z-]+)$/;
  const permission = /\.(?:read|write|manage|export|verify)$/;
  const unknown = guides.flatMap((guide) =>
    inlineOf(guide).flatMap((part) =>
      part.type === "code" &&
      named.test(part.text) &&
      !permission.test(part.text) &&
      !known.has(part.text)
        ? [`${guide.name}: ${part.text}`]
        : [],
    ),
  );
  expect(unknown).toEqual([]);
});

test("links between guides lead to a guide and to a heading in it", () => {
  const addresses = new Set(
    guides.flatMap(({ name, sections }) => [
      `/docs/guides/${name}`,
      ...sections.map(({ id }) => `/docs/guides/${name}#${id}`),
    ]),
  );
  const broken = guides.flatMap((guide) =>
    inlineOf(guide).flatMap((part) =>
      part.type === "link" && part.href.startsWith("/docs/guides/") && !addresses.has(part.href)
        ? [`${guide.name}: ${part.href}`]
        : [],
    ),
  );
  expect(broken).toEqual([]);
});

/** Every row of the tables of a guide, as texts. */
const rowsOf = (name: string): string[][] =>
  guides
    .filter((guide) => guide.name === name)
    .flatMap(({ sections }) => sections.flatMap(({ blocks }) => blocks))
    .flatMap((block) => (block.type === "table" ? block.rows.map((row) => row.map(textOf)) : []));

const grouped = (number: number) => number.toLocaleString("en-US");

test("the guide to rate limits has every limit, with the number that is enforced", () => {
  const windows = { 60: "1 min", 600: "10 min", 3600: "1 h" };
  const expected = Object.entries(rateLimits).map(([name, { quota, window }]) => [
    name,
    grouped(quota),
    windows[window],
  ]);
  expect(
    rowsOf("rate-limits")
      .map((row) => row.slice(0, 3))
      .sort(),
  ).toEqual(expected.sort());
});

test("the guide to webhooks has every pause between attempts", () => {
  const shown = rowsOf("webhooks").flatMap(([failures = "", pause = ""]) => {
    const [, number, unit = ""] = /^(\d+) (s|min|h)$/.exec(pause) ?? [];
    const seconds = Number(number) * ({ s: 1, min: 60, h: 3600 }[unit] ?? 0);
    return seconds > 0 ? [[Number.parseInt(failures, 10), seconds * 1000]] : [];
  });
  expect(shown).toEqual(shown.map((_, index) => [index + 1, retryDelayMs(index + 1, 0.5)]));
  expect(retryDelayMs(shown.length + 1, 0.5)).toBe(retryDelayMs(shown.length, 0.5));
});

test("the guide to limits has every quota, with the number that is enforced", () => {
  const rows = rowsOf("limits-and-quotas").filter(([name = ""]) => Object.hasOwn(quotas, name));
  expect(rows.map((row) => row.slice(0, 3)).sort()).toEqual(
    Object.entries(quotas)
      .map(([name, { limit, sandboxLimit }]) => [name, grouped(limit), grouped(sandboxLimit)])
      .sort(),
  );
});
