import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildAll, bundle } from "./build.mjs";
import { base, root } from "./sources.mjs";

process.env.NODE_ENV = "production";
await buildAll({ onlyIfStale: true });
const { generateSource } = await import(new URL("sdk/build.mjs", base).href);
await generateSource();
/** Programs run separately, in addition to the cases that main.ts measures. */
const programs = {
  aging: "aging/main",
  backup: "backup/main",
  cluster: "cluster/main",
  deliveries: "deliveries/main",
  distribute: "cluster/interrupts",
  "event-cost": "event-cost/main",
  failover: "failover/main",
  faults: "faults/main",
  kill9: "kill9/main",
  "customer-import": "customer-import",
  "distinct-values": "distinct-values",
  "foreign-hashes": "foreign-hashes",
  hostile: "hostile",
  "login-flood": "login-flood",
  overload: "overload/main",
  portal: "portal/main",
  races: "races",
  rolling: "rolling",
  size: "size/main",
  soak: "soak",
  starts: "starts",
  metrics: "metrics/main",
  "metrics-kills": "metrics/kills",
  "users-filter": "users/main",
  "warm-verify": "warm-verify",
};
const files = [
  "main",
  "load",
  "bare",
  "event-cost/server",
  "metrics/server",
  "overload/load",
  ...Object.values(programs),
];
await bundle(
  files.map((file) => `bench/${file}.ts`),
  ".server",
);
const program = programs[process.argv[2] ?? ""];
const script = join(root, ".server", "bench", `${program ?? "main"}.mjs`);
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(program ? 3 : 2)], {
  stdio: "inherit",
});
process.exit(status ?? 1);
