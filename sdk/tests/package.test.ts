import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const run = promisify(execFile);
const root = projectRoot();
const maxBytes = 15 * 1024;

const send = testServer();
let folder: string;
let tenant: string;
let apiKey: string;

/** The package as it is published, installed into an empty project. */
async function install(): Promise<void> {
  await run("npm", ["pack", "--pack-destination", folder], { cwd: join(root, "sdk") });
  const { version } = JSON.parse(await readFile(join(root, "sdk/package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const archive = `./gatehouse-client-${version}.tgz`;
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", archive], { cwd: folder });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-client-"));
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"], login: "ada" });
  ({ apiKey } = await makeApiKey(tenant, userId));
  await install();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the client has no dependency, and at most 15 KiB when it is minified and compressed", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: 'export * from "@gatehouse/client"; export * from "@gatehouse/client/middleware";',
      resolveDir: folder,
    },
    ...{ bundle: true, minify: true, format: "esm", platform: "neutral", write: false },
  });
  const [file] = outputFiles;
  const size = gzipSync(file?.contents ?? "", { level: 9 }).length;
  if (process.env.SHOW_SIZES === "1") console.error(`the client has ${size} bytes`);
  expect(size).toBeGreaterThan(1000);
  expect(size).toBeLessThanOrEqual(maxBytes);
  const manifest = JSON.parse(await readFile(join(root, "sdk/package.json"), "utf8"));
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.peerDependencies).toBeUndefined();
});

test("the client imports nothing, not even of Node: it runs in browsers and workers", async () => {
  for (const entry of ["index.js", "middleware.js"]) {
    const file = join(folder, "node_modules/@gatehouse/client/dist", entry);
    expect(await readFile(file, "utf8")).not.toMatch(/^import\b|\bimport\(|\brequire\(/m);
  }
});

const program = `import { createClient, isGatehouseError } from "@gatehouse/client";
const [, , url = "", tenant = "", apiKey = ""] = process.argv;
const gatehouse = createClient({ url, tenant, apiKey });
for await (const user of gatehouse.users.list({ q: "ada" })) console.log(user.login);
try {
  await gatehouse.users.get({ id: "user_00000000000000000000000000" });
} catch (error) {
  if (isGatehouseError(error)) console.log(error.code);
}
`;

test("the installed package calls the server", async () => {
  await writeFile(join(folder, "main.js"), program);
  const { stdout } = await run(process.execPath, ["main.js", send.url(), tenant, apiKey], {
    cwd: folder,
  });
  expect(stdout).toBe("ada\nuser.not-found\n");
});

/** The compiler's output for a program that uses the package, with the strictest options and checked declarations. */
async function compile(source: string): Promise<string> {
  await writeFile(join(folder, "typed.ts"), source);
  const options = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const target = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--types", ""];
  const modules = ["--module", "nodenext", "--moduleResolution", "nodenext", "--noEmit"];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const given = [compiler, ...options, ...target, ...modules, "typed.ts"];
  return run(process.execPath, given, { cwd: folder }).then(
    () => "",
    ({ stdout }) => stdout,
  );
}

const typed = `import { createClient, type GatehouseError, type User } from "@gatehouse/client";
const gatehouse = createClient({ url: "https://gatehouse.example", tenant: "acme", apiKey: "svk" });
export const users: Promise<User[]> = gatehouse.users.list({ q: "ada" }).toArray(10);
export function statusOf(error: GatehouseError): number {
  switch (error.code) {
    case "user.not-found": {
      const status: 404 = error.status;
      return status;
    }
    default:
      return error.status;
  }
}
`;

test("its types compile under strict TypeScript without the types of Node", async () => {
  expect(await compile(typed)).toBe("");
});

test.each([
  ["an unknown parameter", 'gatehouse.users.list({ login: "ada" });'],
  ["a missing path parameter", "gatehouse.users.get({});"],
  ["a wrong body", "gatehouse.keys.create({ body: { name: 1 } });"],
  ["an unknown code", 'export const f = (e: GatehouseError) => e.code === "user.nowhere";'],
])("its types reject %s", async (_, line) => {
  expect(await compile(`${typed}\n${line}\n`)).toContain("error TS");
});
