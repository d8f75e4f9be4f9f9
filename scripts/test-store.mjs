import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildAll } from "./build.mjs";
import { root } from "./sources.mjs";

/*
 * npm run test:store [-- --installed] [-- --sample] [-- files]
 *
 * Runs the tests that use the store on the one in TEST_DATABASE_URL (for a Citus cluster its coordinator), or on the embedded
 * PostgreSQL. `--installed` starts a PostgreSQL of this machine for the run, with its default settings; PG_BIN says where
 * its programs are. `--sample` runs the files whose statements depend most on the server's version and its planner.
 */

const folders = [
  "app/v1/",
  "app/pim/",
  "lib/access/",
  "lib/database/",
  "lib/features/",
  "lib/http/",
  "lib/server/health/",
  "lib/setup/",
];
/** These start their own server. */
const excluded = ["--exclude", "lib/database/embedded/**"];
const sample = [
  "app/v1/audit/route.test.ts",
  "app/v1/events/route.test.ts",
  "app/v1/user/list/route.test.ts",
  "lib/database/distribution.test.ts",
  "lib/database/migrate.test.ts",
  "lib/database/retention.test.ts",
  "lib/database/search-index.test.ts",
  "lib/features/metrics/query-engine.test.ts",
];
const oldest = 15;

/** PostgreSQL does not run as root. */
const nobody = { uid: 65_534, gid: 65_534 };
const user = process.getuid?.() === 0 ? nobody : {};

function run(program, given, options = {}) {
  const { status, stderr } = spawnSync(program, given, { encoding: "utf8", ...options });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr ?? ""}`);
}

/** Without pipes: the server would keep them open, and the call that starts it would never return. */
const asServer = (folder) => ({ ...user, cwd: folder, stdio: ["ignore", "ignore", "ignore"] });

function startInstalled(programs) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-installed-"));
  chmodSync(folder, 0o711);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const stop = () => {
    spawnSync(join(programs, "pg_ctl"), ["-D", data, "-m", "immediate", "stop"], asServer(folder));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    run(
      join(programs, "initdb"),
      ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync"],
      asServer(folder),
    );
    const options = `-c listen_addresses='' -c unix_socket_directories=${folder}`;
    run(
      join(programs, "pg_ctl"),
      ["-D", data, "-l", join(folder, "log"), "-o", options, "-w", "start"],
      asServer(folder),
    );
  } catch (error) {
    stop();
    throw error;
  }
  return { url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`, stop };
}

function test(url) {
  const { status } = spawnSync(
    join(root, "node_modules", ".bin", "vitest"),
    ["run", ...excluded, ...wanted],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...(url === undefined ? {} : { TEST_DATABASE_URL: url }) },
    },
  );
  return status ?? 1;
}

const given = process.argv.slice(2);
const files = given.filter((one) => !one.startsWith("--"));
const wanted = files.length > 0 ? files : given.includes("--sample") ? sample : folders;
/** Some tests start the product, and none of them may wait for a whole build on a slow machine. */
if (wanted === folders) await buildAll({ onlyIfStale: true });
const programs = process.env.PG_BIN ?? `/usr/lib/postgresql/${oldest}/bin`;
if (!given.includes("--installed")) {
  process.exitCode = test();
} else if (!existsSync(join(programs, "initdb"))) {
  process.stdout.write(
    `PostgreSQL ${oldest} is not installed here (${programs}): the tests were not run on it. Debian's package is postgresql-${oldest}.\n`,
  );
} else {
  const { url, stop } = startInstalled(programs);
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    process.exitCode = test(url);
  } finally {
    stop();
  }
}
