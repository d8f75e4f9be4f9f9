import { createHmac, randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { connect } from "@/lib/database/connection";
import type { Owner } from "./ownership";

/**
 * The roles of an embedded PostgreSQL. `setup` is its superuser and only creates the others; `owner` owns the schema; `service` is
 * the role for requests, with no more privileges than they need.
 */
const roles = {
  setup: "gatehouse",
  owner: "gatehouse_owner",
  service: "gatehouse_service",
} as const;

export type Role = keyof typeof roles;

export type RoleConnection = ClientConfig & {
  host: string;
  user: string;
  password: string;
  database: string;
};

/** Any number, the same in every release: the advisory lock of the process that sets the roles up. */
const settingUp = 311_502_967;

/** Time limit of the set-up, including the wait for another process that does it: a stopped server would not respond. */
const patienceMilliseconds = 20_000;

/** Every connection needs a password, from any process of this machine. */
const access = `# Written by Gatehouse at each start.
local all all scram-sha-256
local replication all scram-sha-256
`;

/** The secret from which every password is derived: 32 bytes that only the service's user may read. Created if missing. */
export function readSecret(dataDir: string): { secret: string; isNew: boolean } {
  const file = join(dataDir, "postgres-secret");
  const isNew = !existsSync(file);
  if (isNew) {
    const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
    writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(draft);
    }
  }
  const secret = readFileSync(file, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(secret)) throw new Error(`${file} cannot be used.`);
  return { secret, isNew };
}

const passwordOf = (secret: string, role: Role): string =>
  createHmac("sha256", secret).update(roles[role]).digest("hex");

export function connectionAs(role: Role, secret: string, host: string): RoleConnection {
  const password = passwordOf(secret, role);
  return { host, user: roles[role], password, database: "postgres" };
}

/** Requires passwords of a cluster that trusted every client of its socket; with `isOpen`, trusts them until the roles are set up. */
export function writeAccess(cluster: string, owner: Owner | undefined, isOpen = false): void {
  const file = join(cluster, "pg_hba.conf");
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, isOpen ? "local all all trust\n" : access, { mode: 0o600 });
  chmodSync(draft, 0o600);
  if (owner) chownSync(draft, owner.uid, owner.gid);
  renameSync(draft, file);
}

const isClosed = (cluster: string) => readFileSync(join(cluster, "pg_hba.conf"), "utf8") === access;

/** Before there were roles, a superuser owned everything; PostgreSQL cannot reassign all objects of its bootstrap role at once. */
const handOver = `do $$
declare found record;
begin
  for found in select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
    execute format('alter schema %I owner to ${roles.owner}', found.name);
  end loop;
  for found in select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S') loop
    execute format('alter table %s owner to ${roles.owner}', found.name);
  end loop;
  for found in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' loop
    execute format('alter function %s owner to ${roles.owner}', found.name);
  end loop;
end $$`;

function makeRole(role: Role, secret: string, isThere: boolean): string {
  const verb = isThere ? "alter" : "create";
  return `${verb} role ${roles[role]} login nosuperuser password '${passwordOf(secret, role)}'`;
}

/** Sets the roles up if needed: at the first start, or at the first one after an upgrade or a lost secret. */
export async function prepareRoles(
  { cluster, owner, secret }: { cluster: string; owner: Owner | undefined; secret: string },
  host: string,
): Promise<void> {
  const { client, end } = await connect(
    { ...connectionAs("setup", secret, host), query_timeout: patienceMilliseconds },
    undefined,
  );
  try {
    await client.query("select pg_advisory_lock($1)", [settingUp]);
    const { rows } = await client.query<{ name: string }>(
      "select rolname as name from pg_roles where rolname = any($1)",
      [[roles.owner, roles.service]],
    );
    const made = rows.map(({ name }) => name);
    if (made.length === 2 && isClosed(cluster)) return;
    await client.query("begin");
    await client.query(`alter role ${roles.setup} password '${passwordOf(secret, "setup")}'`);
    for (const role of ["owner", "service"] as const)
      await client.query(makeRole(role, secret, made.includes(roles[role])));
    await client.query(`alter database postgres owner to ${roles.owner}`);
    await client.query(handOver);
    await client.query("commit");
    writeAccess(cluster, owner);
    await client.query("select pg_reload_conf()");
  } finally {
    await end();
  }
}
