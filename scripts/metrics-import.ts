import { parseArgs } from "node:util";
import { runCommand } from "@/lib/database/command";
import { tenantExists } from "@/lib/features/tenants/policy";
import { importLog, type Progress } from "@/lib/setup/access-logs/import";

const width = 30;
const number = (value: number) => value.toLocaleString("en");

/** Redraws one line on a terminal; prints nothing to a file or pipe. */
function bar(startedAt: number): (progress: Progress) => void {
  return ({ share, counted, repeated, outside, unreadable }) => {
    if (!process.stderr.isTTY) return;
    const lines = counted + repeated + outside + unreadable;
    const done = Math.round(share * width);
    const rate = Math.round(lines / ((performance.now() - startedAt) / 1000));
    process.stderr.write(
      `\r[${"#".repeat(done)}${" ".repeat(width - done)}] ${Math.floor(share * 100)} %  ${number(lines)} lines  ${number(rate)}/s `,
    );
  };
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { tenant: { type: "string", default: "demo" } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (!file) throw new Error("Name the file: npm run metrics:import -- access.log --tenant <id>");
  if (!(await tenantExists(values.tenant)))
    throw new Error(`There is no tenant "${values.tenant}" in this store.`);
  const startedAt = performance.now();
  const { counted, repeated, outside, unreadable } = await importLog(
    file,
    values.tenant,
    bar(startedAt),
  );
  if (process.stderr.isTTY) process.stderr.write("\n");
  return [
    `  Counted     ${number(counted)} lines for the tenant ${values.tenant}, in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    `  Repeated    ${number(repeated)} (an import had counted them)`,
    `  Outside     ${number(outside)} (older than 3 years, or in the future)`,
    `  Unreadable  ${number(unreadable)} (neither Combined nor JSON)`,
  ];
});
