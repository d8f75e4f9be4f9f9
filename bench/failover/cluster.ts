import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createOwnFolder,
  killAll,
  postgresUser,
  processesOf,
  type User,
  until,
} from "@/bench/drill/servers";
import { projectRoot } from "@/lib/database/data-dir";
import { type FaultyProxy, startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { freePort } from "@/lib/server/testing/product";

/** One PostgreSQL that Patroni runs. */
export interface Member {
  name: string;
  folder: string;
  port: number;
  restPort: number;
  process: ChildProcess | undefined;
  /** The proxy between it and etcd. */
  etcd: FaultyProxy;
}

/** Two PostgreSQL servers, of which one accepts writes. */
export interface Cluster {
  /** The address of the store, which names both. */
  url: string;
  primary(otherThan?: Member): Promise<Member | undefined>;
  /** The address of only one of them. */
  urlOf(member: Member | undefined): string;
  /** Resolves when the standby has all data of the primary and could take over. */
  untilStandbyIsReady(): Promise<void>;
  /** Kills Patroni and PostgreSQL of this member. */
  kill(member: Member): void;
  start(member: Member): void;
  /** Makes an orderly switch-over to the other member. */
  switchOver(member: Member): Promise<void>;
  /** Silently drops all traffic between this member and etcd; its PostgreSQL can still be reached. */
  cut(member: Member): void;
  mend(member: Member): void;
  stop(): Promise<void>;
}

const binaries = "/usr/lib/postgresql";

/** The folder with the programs of Debian's newest server. Throws with an explanation when a package that the drill needs is missing. */
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

const isOk = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );

interface Setup {
  folder: string;
  user: User;
  /** The template's values that all members share. */
  values: Record<string, string>;
}

async function createMember(name: string, { folder, user, values }: Setup): Promise<Member> {
  const home = createOwnFolder(join(folder, name), user);
  const [port, restPort] = [await freePort(), await freePort()];
  const etcd = await startFaultyProxy(`postgres://${values.ETCD}`);
  const own: Record<string, string> = {
    ...values,
    ETCD: new URL(etcd.url).host,
    NAME: name,
    ADDRESS: `127.0.0.1:${port}`,
    REST_ADDRESS: `127.0.0.1:${restPort}`,
    FOLDER: home,
  };
  const template = readFileSync(join(projectRoot(), "deploy", "ha", "patroni.yml"), "utf8");
  const filled = template
    .replace(/\$\{([A-Z_]+)\}/g, (text, key) => own[key] ?? text)
    // Otherwise it gets etcd's address from etcd itself, and bypasses the proxy.
    .replace("etcd3:", "etcd3:\n  use_proxies: true");
  writeFileSync(join(home, "patroni.yml"), filled, { mode: 0o644 });
  return { name, port, restPort, process: undefined, etcd, folder: home };
}

function killMember({ folder, process: patroni }: Member): void {
  const own = patroni?.pid === undefined ? [] : [patroni.pid];
  killAll([...own, ...processesOf(join(folder, "data"))]);
}

async function switchOver({ restPort, name }: Member, members: readonly Member[]): Promise<void> {
  const candidate = members.find((member) => member.name !== name)?.name;
  const response = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ leader: name, candidate }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`No switch-over: ${response.status} ${text}`);
}

async function findPrimary(
  members: readonly Member[],
  otherThan?: Member,
): Promise<Member | undefined> {
  for (const member of members)
    if (member !== otherThan && (await isOk(`http://127.0.0.1:${member.restPort}/primary`)))
      return member;
  return undefined;
}

async function isStandbyReady(members: readonly Member[]): Promise<boolean> {
  const states = await Promise.all(
    members.map(({ restPort }) => isOk(`http://127.0.0.1:${restPort}/sync`)),
  );
  return states.includes(true) && (await findPrimary(members)) !== undefined;
}

/** Starts etcd and two members, and waits until one is the standby of the other. */
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
  const primary = (otherThan?: Member) => findPrimary(members, otherThan);
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
    urlOf: (member) => `postgres://gatehouse:${password}@127.0.0.1:${member?.port}/postgres`,
    untilStandbyIsReady,
    kill: killMember,
    start,
    switchOver: (member) => switchOver(member, members),
    cut: ({ etcd: way }) => way.inflict("black-hole"),
    mend: ({ etcd: way }) => way.inflict("pass"),
    async stop() {
      for (const member of members) {
        killMember(member);
        await member.etcd.close();
      }
      etcd.child.kill("SIGKILL");
      await once(etcd.child, "exit");
    },
  };
}
