import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { JWK } from "jose";
import { OfflineCheck, parseHeads } from "@/lib/features/audit/offline";

const usage =
  "Usage: npm run audit:verify -- export.ndjson heads.ndjson [--jwks file-or-address] [--daily-from time] [--taken-at time]";

/** The time in an option; undefined without the option. */
function readTime(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Error(`--${option} is no time: ${text}\n${usage}`);
  return time;
}

async function readKeySet(from: string): Promise<JWK[]> {
  const text = /^https?:/.test(from)
    ? await (await fetch(from)).text()
    : readFileSync(from, "utf8");
  return JSON.parse(text).keys;
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      jwks: { type: "string" },
      "daily-from": { type: "string" },
      "taken-at": { type: "string" },
    },
  });
  const [exported, heads] = positionals;
  if (exported === undefined || heads === undefined) throw new Error(usage);
  const check = new OfflineCheck(parseHeads(readFileSync(heads, "utf8")), {
    keySet: values.jwks === undefined ? undefined : await readKeySet(values.jwks),
    dailyFrom: readTime("daily-from", values["daily-from"]),
    takenAt: readTime("taken-at", values["taken-at"]),
  });
  for await (const line of createInterface({ input: createReadStream(exported) }))
    if (line.trim() !== "") check.add(JSON.parse(line));
  const { valid, tenant, entries, first = 0, last = 0, signedTo, findings } = check.result();
  const beyond =
    last > signedTo
      ? `; entries ${signedTo + 1} to ${last} are not covered by a signed head yet`
      : "";
  const lines = [
    `${valid ? "valid" : "NOT VALID"}: tenant ${tenant}, ${entries} entries, ${first} to ${last}${beyond}`,
    ...findings.map((finding) => `- ${finding}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = valid ? 0 : 1;
}

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
