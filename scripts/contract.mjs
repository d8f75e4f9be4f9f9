import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./sources.mjs";

// Seeded requests generated from the OpenAPI document: npm run contract [-- COUNT [SEED]].
const [count = "10000", seed = "1"] = process.argv.slice(2);
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "lib/catalogue/contract.test.ts"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, CONTRACT_REQUESTS: count, CONTRACT_SEED: seed },
});
process.exit(status ?? 1);
