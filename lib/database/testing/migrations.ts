import { names, nodesOf, type Part, parse, part, parts } from "./syntax";

interface Table {
  columns: string[];
  constraints: Part[];
}

interface Change {
  kind: string;
  body: Part;
}

const known = [
  "CreateStmt",
  "AlterTableStmt",
  "IndexStmt",
  "CreateFunctionStmt",
  "DropStmt",
  "RenameStmt",
];
const forbidden = ["CONSTR_IDENTITY", "CONSTR_GENERATED", "CONSTR_EXCLUSION"];
const unnamed = ["CONSTR_NOTNULL", "CONSTR_NULL", "CONSTR_DEFAULT"];
const keys = ["CONSTR_PRIMARY", "CONSTR_UNIQUE"];

/** Violations, in all migrations together, of the rules of a schema that may be sharded by tenant. */
export function migrationFaults(texts: string[]): string[] {
  const changes: Change[] = texts
    .flatMap(parse)
    .flatMap((top) => Object.entries(top).map(([kind, body]) => ({ kind, body: part(body) })));
  const tables = tablesOf(changes);
  return [
    ...changes
      .filter(({ kind }) => !known.includes(kind))
      .map(({ kind }) => `${kind} is not a statement that migrations may hold`),
    ...[...tables]
      .filter(
        ([, { constraints }]) => !constraints.some(({ contype }) => contype === "CONSTR_PRIMARY"),
      )
      .map(([name]) => `${name} has no primary key`),
    ...[...tables].flatMap(([name, table]) =>
      table.constraints.flatMap((constraint) => constraintFaults(name, constraint, tables)),
    ),
    ...changes
      .filter(({ kind }) => kind === "IndexStmt")
      .flatMap(({ body }) => indexFaults(body, tables)),
    ...changes
      .filter(({ kind }) => kind === "AlterTableStmt")
      .flatMap(({ body }) => aloneFault(body)),
    ...changes
      .filter(({ kind }) => kind === "CreateFunctionStmt")
      .flatMap(({ body }) => functionFault(body)),
    ...nodesOf(changes, "typeName").flatMap(({ names: type }) =>
      /serial/.test(names(type).join()) ? ["serial makes ids in the server"] : [],
    ),
  ];
}

function tablesOf(changes: Change[]): Map<string, Table> {
  const tables = new Map<string, Table>();
  for (const { body } of changes.filter(
    ({ kind }) => kind === "CreateStmt" || kind === "AlterTableStmt",
  )) {
    const name = nameOf(body.relation);
    const table = tables.get(name) ?? { columns: [], constraints: [] };
    const elements = [
      ...parts(body.tableElts),
      ...parts(body.cmds).map((command) => part(part(command.AlterTableCmd).def)),
    ];
    for (const column of elements
      .map((element) => part(element.ColumnDef))
      .filter(({ colname }) => colname !== undefined)) {
      const own = {
        keys: [{ String: { sval: column.colname } }],
        fk_attrs: [{ String: { sval: column.colname } }],
      };
      table.columns.push(String(column.colname));
      table.constraints.push(
        ...parts(column.constraints).map((constraint) => ({
          ...own,
          ...part(constraint.Constraint),
        })),
      );
    }
    table.constraints.push(
      ...elements
        .map((element) => part(element.Constraint))
        .filter(({ contype }) => contype !== undefined),
    );
    tables.set(name, table);
  }
  return tables;
}

function constraintFaults(table: string, constraint: Part, tables: Map<string, Table>): string[] {
  const type = String(constraint.contype);
  const faults = unnamed.includes(type)
    ? []
    : nameFaults(constraint.conname, `a constraint of ${table}`);
  if (forbidden.includes(type)) faults.push(`${table}: ${type} is not for sharded tables`);
  if (keys.includes(type) && isTenants(table, tables) && names(constraint.keys)[0] !== "tenant_id")
    faults.push(`${constraint.conname} does not begin with tenant_id`);
  if (
    type === "CONSTR_DEFAULT" &&
    [...nodesOf(constraint, "FuncCall"), ...nodesOf(constraint, "SQLValueFunction")].length > 0
  )
    faults.push(`${table}: a default is made by the server`);
  if (type === "CONSTR_FOREIGN") faults.push(...foreignFaults(table, constraint, tables));
  return faults;
}

function foreignFaults(table: string, constraint: Part, tables: Map<string, Table>): string[] {
  const faults: string[] = [];
  const ends = [names(constraint.fk_attrs), names(constraint.pk_attrs)].map(
    (columns) => columns[0],
  );
  if (
    isTenants(nameOf(constraint.pktable), tables) &&
    ends.some((column) => column !== "tenant_id")
  )
    faults.push(`${constraint.conname} of ${table} does not begin with tenant_id on both sides`);
  const actions = [constraint.fk_del_action, constraint.fk_upd_action];
  if (!actions.every((action) => action === "a" || action === "c"))
    faults.push(`${constraint.conname} knows more than CASCADE and NO ACTION`);
  return faults;
}

function indexFaults(index: Part, tables: Map<string, Table>): string[] {
  const first = part(parts(index.indexParams)[0]?.IndexElem).name;
  const table = nameOf(index.relation);
  const faults = nameFaults(index.idxname, `an index of ${table}`);
  if (index.unique === true && isTenants(table, tables) && first !== "tenant_id")
    faults.push(`${index.idxname} does not begin with tenant_id`);
  return faults;
}

function nameFaults(name: unknown, what: string): string[] {
  if (typeof name !== "string") return [`${what} has no name`];
  return name.length > 50 || /\d$/.test(name)
    ? [`${name} is longer than 50 characters or ends in a digit`]
    : [];
}

function aloneFault(change: Part): string[] {
  const commands = parts(change.cmds).map((command) => part(command.AlterTableCmd));
  const adds = commands.some(
    ({ subtype, def }) =>
      subtype === "AT_AddConstraint" ||
      nodesOf(def, "Constraint").some(({ contype }) => !unnamed.includes(String(contype))),
  );
  return adds && commands.length > 1
    ? [`${nameOf(change.relation)}: ADD CONSTRAINT stands alone in its ALTER TABLE`]
    : [];
}

function functionFault(made: Part): string[] {
  const isImmutable = parts(made.options).some(
    ({ DefElem }) => part(part(part(DefElem).arg).String).sval === "immutable",
  );
  return isImmutable ? [] : [`${names(made.funcname).join(".")} is not immutable`];
}

function isTenants(table: string, tables: Map<string, Table>): boolean {
  return tables.get(table)?.columns.includes("tenant_id") ?? false;
}

function nameOf(relation: unknown): string {
  return String(part(relation).relname);
}
