import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { Client, Pool } from "pg";
import { globalStatements } from "@/lib/database/global";
import * as schema from "@/lib/database/schema/schema";
import { tenantFault } from "./statements";
import { loadParser } from "./syntax";

const tenantTables = new Set(
  Object.values(schema)
    .filter(
      (entry) =>
        is(entry, PgTable) &&
        Object.values(getTableColumns(entry)).some((column) => column.name === "tenant_id"),
    )
    .map((table) => getTableName(table)),
);
const allowed = new Set<string>(Object.values(globalStatements));
const judged = new Map<string, string | undefined>();

/** The rejections since a test last emptied the list: the tested code may have caught the error. */
export const statementFaults: string[] = [];

/** The text of each statement that was prepared under a name. */
export const preparedStatements = new Map<string, string>();

const unguarded = Symbol.for("gatehouse.unguarded");

/** Rejects every statement of this process that is not limited to one tenant, unless lib/database/global.ts lists it. */
export async function guardStatements(): Promise<void> {
  await loadParser();
  const guarded = <Query extends (...args: never[]) => unknown>(query: Query): Query =>
    new Proxy((Reflect.get(query, unguarded) as Query | undefined) ?? query, {
      // The package outlives a test file, so the next file's guard replaces this one.
      get: (target, name) => (name === unguarded ? target : Reflect.get(target, name)),
      apply(target, self, args: unknown[]) {
        // A query that a pool passes to a client, with a callback, was already checked by the pool's guard.
        const isHandedOn = self instanceof Client && args.at(-1) instanceof Function;
        const fault = notePrepared(args[0]) ?? (isHandedOn ? undefined : judge(textOf(args[0])));
        if (fault === undefined) return Reflect.apply(target, self, args);
        statementFaults.push(fault);
        return reject(args[0], new Error(fault));
      },
    });
  Pool.prototype.query = guarded(Pool.prototype.query);
  Client.prototype.query = guarded(Client.prototype.query);
}

/** As the store would: a query with a callback gets the error by it. */
function reject(query: unknown, error: Error): unknown {
  const callback: unknown = Reflect.get(Object(query), "callback");
  if (!(callback instanceof Function)) return Promise.reject(error);
  queueMicrotask(() => callback(error));
  return query;
}

/** The problem of a second text under one name: a connection that has prepared the first one rejects it. */
function notePrepared(query: unknown): string | undefined {
  const name: unknown = Reflect.get(Object(query), "name");
  if (typeof name !== "string" || name === "") return undefined;
  const text = textOf(query);
  const known = preparedStatements.get(name);
  if (known !== undefined && known !== text) return `the name ${name} has another text: ${text}`;
  preparedStatements.set(name, text);
  return undefined;
}

function judge(text: string): string | undefined {
  // COPY has no text here: a backup reads and fills the tables of all tenants.
  if (text === "") return undefined;
  if (!judged.has(text)) {
    const fault = allowed.has(text) ? undefined : tenantFault(text, tenantTables);
    judged.set(text, fault && `${fault}: ${text}`);
  }
  return judged.get(text);
}

function textOf(query: unknown): string {
  if (typeof query === "string") return query;
  return typeof query === "object" && query !== null && "text" in query ? String(query.text) : "";
}
