import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";

type Advisories = Record<string, object[]>;

/** Runs `npm run audit:deps` against a registry with these advisories; without any it responds with 405, as mirrors do. */
async function audited(advisories: Advisories | undefined) {
  const asked: string[] = [];
  const registry = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    req.resume();
    const isBulk = req.url === "/-/npm/v1/security/advisories/bulk";
    const status = !isBulk ? 404 : advisories === undefined ? 405 : 200;
    res.writeHead(status, { "Content-Type": "application/json" });
    res.end(JSON.stringify(status === 200 ? advisories : {}));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as AddressInfo;
  const args = ["scripts/audit-deps.mjs", "--registry", `http://127.0.0.1:${port}/`];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, npm_config_fetch_retries: "0" },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      said += part.toString();
    });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  await new Promise((resolve) => registry.close(resolve));
  return { code, said, asked };
}

const advisory = (title: string) => ({
  ...{ id: 1, url: "https://advisories.example/1", title, severity: "high" },
  ...{ vulnerable_versions: "<=99.0.0", cwe: [], cvss: { score: 8, vectorString: null } },
});

test("0 where the registry has no advisory for any package", async () => {
  const { code, said, asked } = await audited({});
  expect([code, said]).toEqual([0, expect.stringMatching(/^No vulnerability is known of \d{3,} /)]);
  expect(asked).toContain("POST /-/npm/v1/security/advisories/bulk");
});

test("1 and a line for each advisory, with the package's use", async () => {
  const { code, said } = await audited({
    nodemailer: [advisory("Sends what it should not")],
    vitest: [advisory("Runs what it should not")],
  });
  expect(code, said).toBe(1);
  expect(said.split("\n")).toEqual([
    "high, development: vitest <=99.0.0: Runs what it should not https://advisories.example/1",
    "high, production: nodemailer <=99.0.0: Sends what it should not https://advisories.example/1",
    "",
  ]);
});

test("2 where the registry does not respond: whether a package is vulnerable is unknown", async () => {
  const { code, said } = await audited(undefined);
  expect([code, said]).toEqual([2, expect.stringContaining("knows no advisories (405")]);
});
