import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { projectRoot } from "@/lib/database/data-dir";
import { freePort } from "@/lib/server/testing/product";

/** One PostgreSQL that Patroni runs. */
interface Member {
  name: string;
  folder: string;
  port: number;
  restPort: number;
  process: ChildProcess | undefined;
}

/** Two PostgreSQL servers, of which one accepts writes. */
export interface Cluster {
  /** The address of the store, which names both. */
  url: string;
  primary(): Promise<Member | undefined>;
  /** Resolves when the other one has all that the primary has, and would take over. */
  untilStandbyIsReady(): Promise<void>;
  /** Ends Patroni and PostgreSQL of this member without any leave. */
  kill(member: Member): void;
  start(member: Member): void;
  stop(): Promise<void>;
}

const binaries = "/usr/lib/postgresql";
const patienceMilliseconds = 120_000;

interface User {
  uid?: number;
  gid?: number;
}

/** PostgreSQL does not run as root. */
function postgresUser(): User {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((flag) =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout),
  );
  return uid && gid ? { uid, gid } : {};
}

/** Where Debian keeps the newest server's programs. Throws in words when something that the drill needs is not installed. */
function installedBinaries(): string {
  const [newest] = existsSync(binaries)
    ? readdirSync(binaries).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const missing = ["patroni", "etcd"].filter(
    (program) => spawnSync("which", [program]).status !== 0,
  );
  if (newest === undefined || missing.length > 0)
    throw new Error(
      "Install Debian's packages first: apt-get install patroni etcd-server python3-etcd postgresql",
    );
  return join(binaries, newest, "bin");
}

function run(command: string, given: string[], folder: string, user: User): ChildProcess {
  const log = openSync(join(folder, `${command}.log`), "a");
  const child = spawn(command, given, {
    ...user,
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LANG: "C.UTF-8" } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", log, log],
  });
  child.on("error", (error) => process.stderr.write(`${command}: ${error.message}\n`));
  return child;
}

async function startEtcd(
  folder: string,
  user: User,
): Promise<{ address: string; child: ChildProcess }> {
  const [client, peer] = [await freePort(), await freePort()];
  const [address, peerAddress] = [`127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const child = run(
    "etcd",
    [
      ["--data-dir", join(folder, "etcd")],
      ["--listen-client-urls", `http://${address}`],
      ["--advertise-client-urls", `http://${address}`],
      ["--listen-peer-urls", peerAddress],
      ["--initial-advertise-peer-urls", peerAddress],
      ["--initial-cluster", `default=${peerAddress}`],
    ].flat(),
    folder,
    user,
  );
  await until(() => isOk(`http://${address}/health`), "etcd answered");
  return { address, child };
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + patienceMilliseconds; !(await isSo()); await pause(100))
    if (performance.now() > end) throw new Error(`It took too long until ${what}.`);
}

const isOk = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );

function childrenOf(pid: number): number[] {
  const found = spawnSync("ps", ["--ppid", String(pid), "-o", "pid="], { encoding: "utf8" });
  return found.stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}

function killAll(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has gone with the one before.
    }
  }
}

/** Creates a folder that PostgreSQL's user owns. */
function createOwnFolder(path: string, { uid, gid }: User): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
  return path;
}

interface Setup {
  folder: string;
  user: User;
  /** What the template names and all members share. */
  values: Record<string, string>;
}

async function createMember(name: string, { folder, user, values }: Setup): Promise<Member> {
  const home = createOwnFolder(join(folder, name), user);
  const [port, restPort] = [await freePort(), await freePort()];
  const own: Record<string, string> = {
    ...values,
    NAME: name,
    ADDRESS: `127.0.0.1:${port}`,
    REST_ADDRESS: `127.0.0.1:${restPort}`,
    FOLDER: home,
  };
  const template = readFileSync(join(projectRoot(), "deploy", "ha", "patroni.yml"), "utf8");
  const filled = template.replace(/\$\{([A-Z_]+)\}/g, (text, key) => own[key] ?? text);
  writeFileSync(join(home, "patroni.yml"), filled, { mode: 0o644 });
  return { name, port, restPort, process: undefined, folder: home };
}

function killMember({ folder, process: patroni }: Member): void {
  const pidFile = join(folder, "data", "postmaster.pid");
  const postmaster = existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, "utf8"), 10) : 0;
  const backends = postmaster > 0 ? childrenOf(postmaster) : [];
  killAll([patroni?.pid ?? 0, postmaster, ...backends].filter((pid) => pid > 0));
}

async function findPrimary(members: readonly Member[]): Promise<Member | undefined> {
  for (const member of members)
    if (await isOk(`http://127.0.0.1:${member.restPort}/primary`)) return member;
  return undefined;
}

async function isStandbyReady(members: readonly Member[]): Promise<boolean> {
  const states = await Promise.all(
    members.map(({ restPort }) => isOk(`http://127.0.0.1:${restPort}/sync`)),
  );
  return states.includes(true) && (await findPrimary(members)) !== undefined;
}

/** Starts etcd and two members, and waits until one is the other's standby. */
export async function startCluster(folder: string): Promise<Cluster> {
  const bin = installedBinaries();
  const user = postgresUser();
  const etcd = await startEtcd(createOwnFolder(join(folder, "etcd-home"), user), user);
  const password = randomBytes(12).toString("hex");
  const values = { ETCD: etcd.address, BINARIES: bin, PASSWORD: password };
  const setup = { folder, user, values };
  const [first, second] = [await createMember("db1", setup), await createMember("db2", setup)];
  const members = [first, second];
  const start = (member: Member) => {
    member.process = run("patroni", [join(member.folder, "patroni.yml")], member.folder, user);
  };
  const primary = () => findPrimary(members);
  const untilStandbyIsReady = () =>
    until(() => isStandbyReady(members), "the standby was in step with the primary");
  start(first);
  await until(async () => (await primary()) !== undefined, "the first server accepted writes");
  start(second);
  await untilStandbyIsReady();
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return {
    url: `postgres://gatehouse:${password}@${hosts}/postgres?target_session_attrs=read-write`,
    primary,
    untilStandbyIsReady,
    kill: killMember,
    start,
    async stop() {
      for (const member of members) killMember(member);
      etcd.child.kill("SIGKILL");
      await once(etcd.child, "exit");
    },
  };
}
