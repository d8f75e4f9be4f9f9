import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { beforeAll, describe, expect, test } from "vitest";
import * as schema from "@/lib/database/schema/schema";
import { stepFaults } from "@/lib/database/testing/migration-steps";
import { migrationFaults } from "@/lib/database/testing/migrations";
import { loadParser } from "@/lib/database/testing/syntax";
import { projectRoot } from "./data-dir";

const folder = join(projectRoot(), "lib", "database", "migrations");
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();
const texts = files.map(read);

beforeAll(loadParser);

describe("the migrations", () => {
  test("follow the rules that let them run on PostgreSQL 15 to 18 and sharded by tenant", () => {
    expect(texts.length).toBeGreaterThan(0);
    expect(migrationFaults(texts)).toEqual([]);
  });

  test("are compatible with the previous release, and do not block other statements", () => {
    const faults = files.flatMap((name) => stepFaults(name.replace(/\.sql$/, ""), read(name)));
    expect(faults).toEqual([]);
  });

  test("create the declared schema", async () => {
    const snapshots = readdirSync(join(folder, "meta")).filter((name) =>
      name.endsWith("_snapshot.json"),
    );
    const newest = JSON.parse(read(join("meta", snapshots.toSorted().at(-1) ?? "")));
    expect(await generateMigration(newest, generateDrizzleJson({ ...schema }, newest.id))).toEqual(
      [],
    );
  });
});

describe("a migration that breaks a rule is detected", () => {
  const table = (rest: string) =>
    `create table a (tenant_id text not null, b text, constraint a_pk primary key (tenant_id, b)${rest})`;
  const parent =
    "create table p (tenant_id text not null, constraint p_pk primary key (tenant_id))";

  test.each([
    ["a table without a primary key", "no primary key", "create table a (tenant_id text not null)"],
    [
      "a primary key that does not begin with the tenant",
      "does not begin with tenant_id",
      "create table a (tenant_id text, b text, constraint a_pk primary key (b, tenant_id))",
    ],
    [
      "a unique constraint that does not",
      "does not begin with tenant_id",
      table(", constraint a_unique unique (b)"),
    ],
    [
      "a unique index that does not",
      "does not begin with tenant_id",
      `${table("")}; create unique index a_b_unique on a (b)`,
    ],
    [
      "a constraint without a name",
      "has no name",
      "create table a (tenant_id text, primary key (tenant_id))",
    ],
    ["an index without a name", "has no name", `${table("")}; create index on a (tenant_id)`],
    [
      "a name that ends in digits",
      "ends in a digit",
      "create table a (tenant_id text, constraint a_pk2 primary key (tenant_id))",
    ],
    [
      "a name of 51 characters",
      "longer than 50",
      `${table("")}; create index ${"i".repeat(51)} on a (tenant_id)`,
    ],
    [
      "a foreign key without the tenant",
      "on both sides",
      `${parent}; ${table("")}; alter table a add constraint a_fk foreign key (b) references p (tenant_id)`,
    ],
    [
      "a foreign key with the tenant elsewhere",
      "on both sides",
      `${parent}; ${table("")}; alter table a add constraint a_fk foreign key (b, tenant_id) references p (tenant_id, c)`,
    ],
    [
      "a foreign key that sets null",
      "CASCADE and NO ACTION",
      `${parent}; ${table("")}; alter table a add constraint a_fk foreign key (tenant_id) references p (tenant_id) on delete set null`,
    ],
    [
      "a constraint that is not alone",
      "stands alone",
      `${table("")}; alter table a add column c text, add constraint a_unique unique (tenant_id, c)`,
    ],
    [
      "serial",
      "serial",
      "create table a (tenant_id text, n serial, constraint a_pk primary key (tenant_id))",
    ],
    [
      "identity",
      "CONSTR_IDENTITY",
      "create table a (tenant_id text, n int generated always as identity, constraint a_pk primary key (tenant_id))",
    ],
    [
      "a generated column",
      "CONSTR_GENERATED",
      "create table a (tenant_id text, n int generated always as (1) virtual, constraint a_pk primary key (tenant_id))",
    ],
    [
      "a volatile default",
      "made by the server",
      "create table a (tenant_id text, n uuid default gen_random_uuid(), constraint a_pk primary key (tenant_id))",
    ],
    [
      "the server's clock as default",
      "made by the server",
      "create table a (tenant_id text, n timestamptz default current_timestamp, constraint a_pk primary key (tenant_id))",
    ],
    [
      "a trigger",
      "CreateTrigStmt",
      `${table("")}; create trigger a_trigger before insert on a execute function f()`,
    ],
    ["a sequence", "CreateSeqStmt", "create sequence s"],
    [
      "a function that is not immutable",
      "not immutable",
      "create function f() returns int language sql as 'select 1'",
    ],
    [
      "a change of rows that this list does not know",
      "UpdateStmt",
      `${table("")}; update a set b = ''`,
    ],
  ])("%s", (_, fault, text) => expect(migrationFaults([text]).at(-1)).toContain(fault));

  test("and one that breaks no rule is accepted", () => {
    const good = `${parent}; ${table("")}; alter table a add constraint a_fk foreign key (tenant_id) references p (tenant_id) on delete cascade; create unique index a_b_unique on a (tenant_id, b)`;
    expect(migrationFaults([good])).toEqual([]);
  });
});

describe("a migration that is incompatible with the previous release is detected", () => {
  const faultsOf = (text: string) => stepFaults("9999_next", text);

  test.each([
    ["a dropped table", "drops", "drop table a"],
    ["a dropped index", "drops", "drop index a_b_index"],
    ["a dropped column", "drops b", "alter table a drop column b"],
    ["a dropped constraint", "drops a_fk", "alter table a drop constraint a_fk"],
    ["a renamed table", "renames", "alter table a rename to c"],
    ["a renamed column", "renames", "alter table a rename column b to c"],
    ["SET NOT NULL", "b becomes NOT NULL", "alter table a alter column b set not null"],
    ["NOT NULL without a default", "without a default", "alter table a add column b text not null"],
    ["another type", "type of b", "alter table a alter column b type bigint using b::bigint"],
    ["a constraint", "a_check refuses", "alter table a add constraint a_check check (b > 0)"],
    [
      "a unique index",
      "a_unique refuses",
      "create unique index concurrently if not exists a_unique on a (tenant_id, b)",
    ],
  ])("%s, unless it says why", (_, fault, text) => {
    expect(faultsOf(text).join()).toContain(fault);
    expect(faultsOf(`-- contract:\n${text}`).join()).toContain(fault);
    expect(faultsOf(`-- contract: nothing writes it since 0.2\n${text}`)).toEqual([]);
    expect(stepFaults("0018_quotas_and_metric_series", text)).toEqual([]);
  });

  test("an index that is not built concurrently, unless it has a line with the reason", () => {
    const text = "create index a_b_index on a (tenant_id, b)";
    expect(faultsOf(text).join()).toContain("not built concurrently");
    expect(faultsOf(`-- locks: a has one row for each tenant\n${text}`)).toEqual([]);
    expect(faultsOf(`create table a (tenant_id text not null, b text not null); ${text}`)).toEqual(
      [],
    );
  });

  test("an index that is built concurrently together with something else, or only once", () => {
    const text = "create index concurrently if not exists a_b_index on a (tenant_id, b)";
    expect(faultsOf(text)).toEqual([]);
    expect(faultsOf(text.replace("if not exists ", "")).join()).toContain("IF NOT EXISTS");
    expect(faultsOf(`alter table a add column c text; ${text}`).join()).toContain("of its own");
  });

  test("and one that only adds is accepted", () => {
    const text =
      "create table c (tenant_id text not null, b text not null, constraint c_pk primary key (tenant_id, b)); alter table a add column d text; alter table a add column e integer default 0 not null; alter table c add constraint c_fk foreign key (tenant_id) references a (tenant_id)";
    expect(faultsOf(text)).toEqual([]);
  });
});
