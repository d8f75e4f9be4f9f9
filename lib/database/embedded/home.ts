import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeDataDir } from "@/lib/database/data-dir";
import { isProcessAlive } from "@/lib/protocol/processes";
import { findBinaries } from "./binaries";
import { assertAsPackaged, packagedFiles } from "./checksum";
import {
  canReach,
  handOver,
  isRoot,
  makeFolder,
  nobody,
  type Owner,
  postgresOwner,
} from "./ownership";
import { readSecret } from "./roles";

/** The paths and the owner of an embedded PostgreSQL. */
export interface Home {
  cluster: string;
  /** Mode 0700, owned by PostgreSQL's user. */
  sockets: string;
  log: string;
  binaries: string;
  owner: Owner | undefined;
  /** The secret from which the passwords of the roles are derived. */
  secret: string;
  /** Whether the cluster has no passwords of that secret yet. */
  isSecretNew: boolean;
}

/** The maximum length of a unix socket's path on every system. */
const maxSocketPath = 103;

/** Finds or creates the home of this data folder's cluster. `isThrowaway` skips the waits for the disk. */
export function prepareHome(dataDir: string, isThrowaway: boolean): Home {
  if (process.platform === "win32")
    throw new Error("The embedded PostgreSQL does not run on Windows. Set DATABASE_URL.");
  makeDataDir(dataDir);
  const folder = findFolder(dataDir);
  const cluster = join(folder, "cluster");
  const owner = postgresOwner(cluster);
  if (!canReach(folder, owner))
    throw new Error(
      `PostgreSQL runs as user ${owner?.uid}, who may not pass through ${folder}: chmod o+x the folders above it.`,
    );
  const binaries = findBinaries(owner, () => (isRoot() ? systemFolder() : dataDir));
  assertAsPackaged(binaries, packagedFiles(), join(folder, "compared"));
  if (!existsSync(join(cluster, "PG_VERSION")))
    makeCluster({ cluster, owner, binaries }, isThrowaway);
  const { secret, isNew } = readSecret(dataDir);
  return {
    cluster,
    // Another process may have created one at the same time and won.
    owner: postgresOwner(cluster),
    secret,
    isSecretNew: isNew,
    binaries,
    sockets: socketFolder(folder, owner),
    log: join(folder, "server.log"),
  };
}

/** `postgres` in the data folder, or a link from there to a folder that PostgreSQL's user can reach. */
function findFolder(dataDir: string): string {
  const here = join(dataDir, "postgres");
  const found = lstatSync(here, { throwIfNoEntry: false });
  if (found === undefined && canReach(dataDir, postgresOwner(here))) makeFolder(here, 0o711);
  else if (found === undefined) linkElsewhere(here);
  else if (!existsSync(here))
    throw new Error(
      `${here} leads to a folder that is gone. Bring it back, or remove the link to begin with an empty store.`,
    );
  const folder = realpathSync(here);
  if (lstatSync(here).isSymbolicLink()) rejectCopy(folder, realpathSync(dataDir));
  return folder;
}

/** A store that its data folder only links to has a note of its data folder, so that a copied link cannot open the original's store. */
function rejectCopy(folder: string, dataDir: string): void {
  const note = join(folder, "data-dir");
  const original = existsSync(note) ? readFileSync(note, "utf8").trim() : dataDir;
  const isCopy = original !== dataDir && leadsTo(join(original, "postgres"), folder);
  if (isCopy)
    throw new Error(
      `${dataDir} is a copy of ${original}, and its store is still that one's: ${folder}. A server started here would write into the original. Copy that folder too and let ${join(dataDir, "postgres")} lead to the copy.`,
    );
  if (!existsSync(note) || original !== dataDir)
    writeFileSync(note, `${dataDir}\n`, { mode: 0o600 });
}

const leadsTo = (link: string, folder: string) => existsSync(link) && realpathSync(link) === folder;

function linkElsewhere(here: string): void {
  const folder = join(systemFolder(), `store-${randomBytes(6).toString("hex")}`);
  makeFolder(folder, 0o711);
  try {
    symlinkSync(folder, here);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(here)) throw error;
  }
}

/** A folder that root owns and every user may pass through. */
function systemFolder(): string {
  const parent = canWrite("/var/lib") ? "/var/lib" : "/var/tmp";
  const folder = join(parent, "gatehouse");
  makeFolder(folder, 0o755);
  return folder;
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function socketFolder(folder: string, owner: Owner | undefined): string {
  const near = join(folder, "sockets");
  const short = join(
    canReach(tmpdir(), owner) ? tmpdir() : "/tmp",
    `gatehouse-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`,
  );
  return Buffer.byteLength(join(near, ".s.PGSQL.5432.lock")) <= maxSocketPath ? near : short;
}

/** Renamed into place when complete: of two processes that start at once one wins, and an incomplete cluster is never used. */
function makeCluster(
  { cluster, owner, binaries }: Pick<Home, "cluster" | "owner" | "binaries">,
  isThrowaway: boolean,
): void {
  const draft = `${cluster}.${process.pid}`;
  removeDeadDrafts(cluster);
  // initdb needs the name of its user, which only accounts have; the cluster is still empty.
  const maker = owner && nobody;
  makeFolder(draft, 0o700, maker);
  const options = [
    "--encoding=UTF8",
    "--locale=C",
    "--auth=trust",
    "--username=gatehouse",
    "--no-instructions",
  ];
  if (isThrowaway) options.push("--no-sync");
  const run = spawnSync(join(binaries, "bin", "initdb"), ["-D", draft, ...options], {
    ...maker,
    cwd: dirname(cluster),
    env: postgresEnvironment,
    encoding: "utf8",
  });
  if (run.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    const said = run.stderr ?? "";
    const why = said.includes("No space left on device")
      ? `The disk of ${dirname(cluster)} is full. Make room and start again.`
      : "The embedded PostgreSQL could not be set up. Set DATABASE_URL to use another one.";
    throw new Error(`${why}\n${said}`.trim(), { cause: run.error });
  }
  if (owner) handOver(draft, owner);
  try {
    renameSync(draft, cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(join(cluster, "PG_VERSION"))) throw error;
  }
}

/** Removes the remains of processes that were killed while they created a cluster. */
function removeDeadDrafts(cluster: string): void {
  for (const name of readdirSync(dirname(cluster))) {
    const pid = Number(/^cluster\.(\d+)$/.exec(name)?.[1]);
    if (pid === process.pid || (pid > 0 && !isProcessAlive(pid)))
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
}

/** Our environment is not inherited: PGOPTIONS and others would change the server. */
export const postgresEnvironment: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  PATH: "/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};
