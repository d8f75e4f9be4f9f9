import { execFileSync, spawnSync } from "node:child_process";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { namedOperations, operations, slugOf } from "@/lib/catalogue/operations";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { findOperationDetails } from "./operation-details";

const send = testServer();
const demo = { tenant: "demo", site: "eu-store" };
const all = namedOperations.map(({ id, declared }) => {
  const details = findOperationDetails(slugOf(declared), demo);
  if (!details) throw new Error(`${id} has no page`);
  return { id, details };
});

test("every example of a request is valid by the schema that validates requests", () => {
  const rejected = all.flatMap(({ id, details: { declared, body } }) => {
    const result = body && declared.body?.safeParse(body.example);
    return !result || result.success ? [] : [`${id}: ${result.error.issues[0]?.message}`];
  });
  expect(rejected).toEqual([]);
});

test("every example of a response has the fields and types of the response", () => {
  const rejected = all.flatMap(({ id, details: { declared, answer } }) => {
    const result = answer && declared.answer?.safeParse(answer.example);
    return !result || result.success ? [] : [`${id}: ${JSON.stringify(result.error.issues[0])}`];
  });
  expect(rejected).toEqual([]);
});

test("every operation lists its callers, its usage and its errors", () => {
  for (const { id, details } of all) {
    expect(details.description, id).not.toBe("");
    expect(details.errors.length, id).toBeGreaterThan(5);
    for (const { name, description } of details.parameters)
      expect(description, `${id}: ${name}`).toBeTruthy();
    const { permission } = details.declared;
    if (permission && permission !== "any-role")
      expect(details.access.roles, id).toContain("tenant.admin");
  }
  expect(all).toHaveLength(operations.length);
});

test("every TypeScript sample can be parsed", () => {
  const broken = all.filter(
    ({ details }) => parseSync("sample.ts", details.samples.typeScript).errors.length > 0,
  );
  expect(broken.map(({ id }) => id)).toEqual([]);
});

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

test.runIf(has("python3"))("every sample in Python can be parsed", () => {
  const sources = JSON.stringify(all.map(({ details }) => details.samples.python));
  const script = "import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)";
  execFileSync("python3", ["-c", script], { input: sources });
});

test.runIf(has("curl") && has("python3"))(
  "the samples of a list and of a verification print the same response in every language",
  async () => {
    const tenant = await makeTenant({ siteIds: ["eu-store"] });
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const { apiKey } = await makeApiKey(tenant, userId);
    const { PATH = "" } = process.env;
    const env = { NODE_ENV: "test" as const, PATH, API_KEY: apiKey };
    const { execFile } = await import("node:child_process");
    const { promisify } = await import("node:util");
    const run = async (command: string, args: string[]) =>
      (await promisify(execFile)(command, args, { env })).stdout.trim();
    for (const slug of [
      "get-v1-tenant-sites",
      "post-v1-access-verify",
      "post-v1-access-introspect",
    ]) {
      const details = findOperationDetails(slug, { tenant, site: "eu-store" });
      const { curl = "", typeScript = "", python = "" } = details?.samples ?? {};
      const here = (text: string) => text.replaceAll("http://localhost:3000", send.url());
      const printed = await run("sh", ["-c", here(curl).replace("curl ", "curl -sS ")]);
      expect(JSON.parse(printed)).not.toHaveProperty("code");
      expect(await run("node", ["--input-type=module", "-e", here(typeScript)])).toBe(printed);
      expect(await run("python3", ["-c", here(python)])).toBe(printed);
    }
  },
);
