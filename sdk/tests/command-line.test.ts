import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { buildClient } from "@/sdk/build.mjs";

const send = testServer();
const password = "four words in a row";
let folder: string;
let program: string;
let config: string;
let tenant: string;
let userId: string;
let apiKey: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-command-line-"));
  config = join(folder, "config", "config.json");
  program = join(await buildClient(join(folder, "dist")), "cli.js");
  tenant = await makeTenant();
  ({ userId } = await makeUser(tenant, { login: "ada", password, roleIds: ["tenant.admin"] }));
  ({ apiKey } = await makeApiKey(tenant, userId));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, GATEHOUSE_CONFIG: config, ...env },
  });
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    ran.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    ran.err += text;
  });
  return { child, ran };
}

/** Runs a command to completion with the given standard input. */
async function gatehouse(args: string[], input = "", env: Record<string, string> = {}) {
  const { child, ran } = start(args, env);
  child.stdin.end(input);
  [ran.code] = await once(child, "close");
  return ran;
}

const place = () => ["--url", send.url(), "--tenant", tenant];
const login = () => gatehouse(["login", ...place(), "--login", "ada"], `${password}\n`);

describe("gatehouse login", () => {
  test("stores the session for its owner only and prints no secret", async () => {
    const { code, out, err } = await login();
    expect(code, err).toBe(0);
    const { sessionId } = JSON.parse(await readFile(config, "utf8"));
    expect(sessionId).toMatch(/^svs_/);
    expect((await stat(config)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, "config"))).mode & 0o777).toBe(0o700);
    expect(`${out}${err}`).not.toContain(sessionId);
    expect(await readFile(config, "utf8")).not.toContain(password);
  });

  test("takes an API key from standard input, and does not store an invalid one", async () => {
    const other = { GATEHOUSE_CONFIG: join(folder, "by-key.json") };
    const wrong = await gatehouse(["login", ...place()], "svk_wrong\n", other);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain("auth.credentials-invalid");
    const { code, out } = await gatehouse(["login", ...place()], `${apiKey}\n`, other);
    expect(code).toBe(0);
    expect(out).not.toContain(apiKey);
    expect((await gatehouse(["users", "list"], "", other)).out).toContain("ada");
  });

  test("fails with the code of the response, without a stack, when the password is wrong", async () => {
    const args = ["login", ...place(), "--login", "ada"];
    const { code, err } = await gatehouse(args, "not this one\n", {
      GATEHOUSE_CONFIG: join(folder, "none.json"),
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^auth\.login-failed: .*\n$/);
  });
});

describe("the configuration", () => {
  test("is rejected while other users can read it", async () => {
    await login();
    await chmod(config, 0o644);
    const { code, err } = await gatehouse(["users", "list"]);
    await chmod(config, 0o600);
    expect(code).toBe(2);
    expect(err).toContain("chmod 600");
  });

  test("sends its credential to no other address", async () => {
    await login();
    const elsewhere = { GATEHOUSE_URL: "http://127.0.0.1:9" };
    const { code, err } = await gatehouse(["users", "list"], "", elsewhere);
    expect(code).toBe(2);
    expect(err).toContain("gatehouse login");
  });

  test("is forgotten by logout, which ends the session", async () => {
    const other = { GATEHOUSE_CONFIG: join(folder, "leaving.json") };
    const args = ["login", ...place(), "--login", "ada"];
    await gatehouse(args, `${password}\n`, other);
    const { sessionId } = JSON.parse(await readFile(other.GATEHOUSE_CONFIG, "utf8"));
    expect((await gatehouse(["logout"], "", other)).code).toBe(0);
    await expect(stat(other.GATEHOUSE_CONFIG)).rejects.toThrow();
    const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
    expect((await send("GET /v1/user/session", { headers })).status).toBe(401);
  });
});

describe("signed in", () => {
  beforeAll(login);

  test("users list prints a table, or JSON", async () => {
    const table = await gatehouse(["users", "list", "--q", "ada"]);
    expect(table.out.split("\n")[0]).toMatch(/^id +login +name/);
    expect(table.out).toContain(userId);
    const { out } = await gatehouse(["users", "list", "--q", "ada", "--output", "json"]);
    expect(JSON.parse(out)).toMatchObject([{ id: userId, login: "ada", state: "active" }]);
  });

  test("a table shows no control characters of a name", async () => {
    await makeUser(tenant, { login: "eve", name: "Eve \u001b[31mred" });
    const { out } = await gatehouse(["users", "list", "--q", "eve"]);
    expect(out).toContain("Eve ?[31mred");
    expect(out).not.toContain("\u001b");
  });

  test("keys create prints the key, which works and is never shown again", async () => {
    const args = ["keys", "create", "--name", "ci", "--valid-to", "30d", "--output", "json"];
    const created = JSON.parse((await gatehouse(args)).out);
    const env = { GATEHOUSE_API_KEY: created.apiKey };
    expect((await gatehouse(["users", "list"], "", env)).code).toBe(0);
    const listed = await gatehouse(["keys", "list", "--output", "json"]);
    expect(listed.out).toContain(created.apiKeyId);
    expect(listed.out).not.toContain(created.apiKey);
    expect(await readFile(config, "utf8")).not.toContain(created.apiKey);
  });

  test("metrics counts calls, explain gives the reason of a decision", async () => {
    const counts = await gatehouse(["metrics", "--from", "1d", "--output", "json"]);
    expect(counts.code, counts.err).toBe(0);
    expect(Array.isArray(JSON.parse(counts.out))).toBe(true);
    const operation = ["--operation", "GET /v1/user/list"];
    const { out } = await gatehouse(["explain", "--user", userId, ...operation]);
    expect(out).toMatch(/^allowed +true$/m);
  });

  test("events tail prints events, one a line, until it is interrupted", async () => {
    const { child, ran } = start(["events", "tail", "--output", "json"]);
    const other = await makeUser(tenant);
    const { sessionId } = JSON.parse(await readFile(config, "utf8"));
    const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
    await send(`POST /v1/user/${other.userId}/lock`, { headers, body: { reason: "x" } });
    await expect.poll(() => ran.out).toContain(other.userId);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    for (const line of ran.out.trimEnd().split("\n"))
      expect(JSON.parse(line).specversion).toBe("1.0");
  });

  test.each([
    ["an unknown command", ["fly"]],
    ["an unknown option", ["users", "list", "--colour", "red"]],
    ["a missing option", ["keys", "create"]],
    ["another form of output", ["users", "list", "--output", "xml"]],
  ])("ends with 2 for %s", async (_, args) => {
    const { code, out, err } = await gatehouse(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err.split("\n")).toHaveLength(2);
  });
});
