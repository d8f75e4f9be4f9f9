import {
  chmodSync,
  cpSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrateStore } from "@/lib/database/migrate";
import { failureOf } from "@/lib/database/testing/failing";
import { type Embedded, startEmbedded } from "./embedded";
import { isRoot } from "./ownership";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-roles-"));
chmodSync(folder, 0o755);
const nobody = 65_534;

async function ask(config: ClientConfig, ...texts: string[]) {
  const client = new Client(config);
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const text of texts) rows = (await client.query(text)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const start = (dataDir: string) => startEmbedded(dataDir, { isThrowaway: true });
const clusterOf = (dataDir: string) => join(realpathSync(join(dataDir, "postgres")), "cluster");

afterAll(() => rmSync(folder, { recursive: true }));

describe("an embedded store", () => {
  const dataDir = join(folder, "data");
  let store: Embedded;

  beforeAll(async () => {
    store = await start(dataDir);
    await migrateStore(store.owner, store.connection.user);
  });
  afterAll(() => store.close());

  test.each(["gatehouse", "gatehouse_owner", "gatehouse_service"])(
    "rejects connections as %s without the password",
    async (user) => {
      const { host, database } = store.connection;
      for (const password of [undefined, "", "guessed"]) {
        const error = await failureOf(
          ask({ host, database, user, password: password ?? "" }, "select 1"),
        );
        expect(error).toBeInstanceOf(Error);
      }
    },
  );

  test("makes the secret of the passwords readable by the service's user only", () => {
    expect(statSync(join(dataDir, "postgres-secret")).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, "postgres-secret")).uid).toBe(process.getuid?.());
  });

  test.runIf(isRoot())("runs as a user that no account and nothing else has", () => {
    const { uid } = statSync(clusterOf(dataDir));
    expect(uid).not.toBe(0);
    expect(uid).not.toBe(nobody);
    expect(readFileSync("/etc/passwd", "utf8")).not.toContain(`:${uid}:`);
  });

  test("uses a role for requests that is not a superuser and can only add to the audit trail", async () => {
    const may = async (text: string) =>
      (await failureOf(ask(store.connection, text))) === undefined;
    expect(await may("select login from users where tenant_id = ''")).toBe(true);
    expect(await may("delete from sessions where tenant_id = ''")).toBe(true);
    for (const text of [
      "update audit_events set action = '' where tenant_id = ''",
      "delete from audit_events where tenant_id = ''",
      "truncate audit_events",
      "drop table users",
      "alter table users disable trigger all",
      "create table more (id text)",
      "copy (select 1) to program 'id'",
      "select pg_read_file('/etc/passwd')",
      "set role gatehouse_owner",
      "set session authorization gatehouse",
      "alter role gatehouse_service superuser",
    ])
      expect([text, await may(text)]).toEqual([text, false]);
  });

  test("has an owner of the schema that is not a superuser either", async () => {
    const [role] = await ask(
      store.owner,
      "select rolsuper from pg_roles where rolname = current_user",
    );
    expect(role).toEqual({ rolsuper: false });
  });
});

describe("a data folder of an earlier release", () => {
  const dataDir = join(folder, "former");

  function giveToNobody(path: string): void {
    lchownSync(path, nobody, nobody);
    if (!statSync(path).isDirectory()) return;
    for (const name of readdirSync(path)) giveToNobody(join(path, name));
  }

  test("is upgraded at the start: its rows stay, its trusted connections end", async () => {
    const first = await start(dataDir);
    await ask(
      first.superuser,
      "create schema drizzle",
      "create table drizzle.log (id serial primary key)",
      "create table kept (note text)",
      "insert into kept values ('kept')",
      "drop database if exists x",
      "alter schema public owner to gatehouse",
    );
    await first.close();
    const cluster = clusterOf(dataDir);
    writeFileSync(
      join(cluster, "pg_hba.conf"),
      "local all all trust\nhost all all 127.0.0.1/32 trust\n",
    );
    rmSync(join(dataDir, "postgres-secret"));
    if (isRoot()) giveToNobody(cluster);

    const second = await start(dataDir);
    expect(readFileSync(join(cluster, "pg_hba.conf"), "utf8")).not.toContain("trust");
    if (isRoot()) expect(statSync(join(cluster, "base")).uid).not.toBe(nobody);
    const owners = await ask(
      second.owner,
      "select tablename as name, tableowner as owner from pg_tables where tablename in ('kept', 'log') order by 1",
    );
    expect(owners).toEqual([
      { name: "kept", owner: "gatehouse_owner" },
      { name: "log", owner: "gatehouse_owner" },
    ]);
    expect(await ask(second.owner, "select note from kept")).toEqual([{ note: "kept" }]);
    expect(await failureOf(ask({ ...second.superuser, password: "" }, "select 1"))).toBeInstanceOf(
      Error,
    );
    await second.close();
  });

  test("whose secret is lost gets a new one at the next start", async () => {
    rmSync(join(dataDir, "postgres-secret"));
    const store = await start(dataDir);
    expect(await ask(store.owner, "select note from kept")).toEqual([{ note: "kept" }]);
    await store.close();
  });

  test("whose secret was replaced while it runs is rejected with an explanation", async () => {
    const store = await start(dataDir);
    const file = join(dataDir, "postgres-secret");
    const right = readFileSync(file);
    writeFileSync(file, `${"0".repeat(64)}\n`);
    await expect(start(dataDir)).rejects.toThrow(
      "does not know the password made from DATA_DIR/postgres-secret",
    );
    writeFileSync(file, right);
    await store.close();
  });
});

describe("a copy of a data folder", () => {
  test("has its own store", async () => {
    const [original, copy] = [join(folder, "original"), join(folder, "copy")];
    const store = await start(original);
    await ask(
      store.superuser,
      "create table marks (mark text)",
      "grant all on marks to gatehouse_owner",
    );
    cpSync(original, copy, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !path.includes("/sockets/"),
    });
    await store.close();
    const copied = spawnLike(copy, original);
    const second = await start(copied);
    await ask(second.superuser, "drop table if exists marks");
    await second.close();
    const third = await start(original);
    expect(await ask(third.superuser, "select * from marks")).toEqual([]);
    await third.close();
  });

  test.runIf(isRoot())("that holds but a link to the original's store is rejected", async () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o700 });
    const original = join(closed, "data");
    const copy = join(closed, "copy");
    const store = await start(original);
    await store.close();
    cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
    await expect(start(copy)).rejects.toThrow(`${copy} is a copy of ${original}`);
    const again = await start(original);
    await again.close();
    rmSync(realpathSync(join(original, "postgres")), { recursive: true });
  });
});

/** A copy made by root belongs to root: PostgreSQL must own its folder. */
function spawnLike(copy: string, original: string): string {
  const { uid, gid } = statSync(clusterOf(original));
  const give = (path: string) => {
    lchownSync(path, uid, gid);
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
  };
  give(join(copy, "postgres", "cluster"));
  chmodSync(join(copy, "postgres", "cluster"), 0o700);
  return copy;
}
