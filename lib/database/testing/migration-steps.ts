import { nodesOf, type Part, parse, part, parts } from "./syntax";

/** Migrations from before these rules; never add a name. */
const lastFree = "0018_quotas_and_metric_series";

const contract = /^-- contract: \S/m;
const locks = /^-- locks: \S/m;

/**
 * The parts of a migration that are incompatible with the previous release or block other statements: a change takes two
 * releases. The first adds, the second removes what is unused and says so in a line `-- contract: why it is unused`. An index
 * that is not built concurrently on a table with rows says `-- locks: why that is short`.
 */
export function stepFaults(name: string, text: string): string[] {
  if (name <= lastFree) return [];
  const changes = parse(text).flatMap((top) =>
    Object.entries(top).map(([kind, body]) => ({ kind, body: part(body) })),
  );
  const made = changes
    .filter(({ kind }) => kind === "CreateStmt")
    .map(({ body }) => part(body.relation).relname);
  const indexes = changes.filter(({ kind }) => kind === "IndexStmt").map(({ body }) => body);
  const built = indexes.filter(({ concurrent }) => concurrent === true);
  const faults = changes
    .filter(({ body }) => !made.includes(part(body.relation).relname))
    .flatMap(({ kind, body }) => [...breaks(kind, body)]);
  const narrow = contract.test(text) ? [] : faults;
  const locking = indexes
    .filter((index) => index.concurrent !== true && !made.includes(part(index.relation).relname))
    .map(({ idxname }) => `${idxname} is not built concurrently`);
  return [
    ...narrow,
    ...(locks.test(text) ? [] : locking),
    ...(built.length > 0 && built.length < changes.length
      ? ["what is built concurrently stands in a file of its own"]
      : []),
    ...built
      .filter((index) => index.if_not_exists !== true)
      .map(({ idxname }) => `${idxname} needs IF NOT EXISTS, for a build that is repeated`),
  ].map((fault) => `${name}: ${fault}`);
}

function breaks(kind: string, body: Part): string[] {
  if (kind === "DropStmt") return ["drops what the release before may use"];
  if (kind === "RenameStmt") return ["renames what the release before may use"];
  if (kind === "IndexStmt" && body.unique === true)
    return [`${body.idxname} refuses rows that the release before may write`];
  if (kind !== "AlterTableStmt") return [];
  return parts(body.cmds).flatMap((command) => commandFault(part(command.AlterTableCmd)));
}

function commandFault({ subtype, def, name }: Part): string[] {
  if (subtype === "AT_DropColumn" || subtype === "AT_DropConstraint")
    return [`drops ${name}, which the release before may use`];
  if (subtype === "AT_SetNotNull")
    return [`${name} becomes NOT NULL, and the release before may write none`];
  if (subtype === "AT_AlterColumnType") return [`changes the type of ${name}`];
  if (subtype === "AT_AddConstraint")
    return [`${part(part(def).Constraint).conname} refuses rows that the release before may write`];
  if (subtype !== "AT_AddColumn") return [];
  const types = nodesOf(def, "Constraint").map(({ contype }) => contype);
  return types.includes("CONSTR_NOTNULL") && !types.includes("CONSTR_DEFAULT")
    ? [`${part(part(def).ColumnDef).colname} is NOT NULL without a default`]
    : [];
}
