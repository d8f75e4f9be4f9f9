import {
  names,
  nodesOf,
  type Part,
  parse,
  part,
  parts,
  type Statement,
  statementsIn,
} from "./syntax";

interface Table {
  name: string;
  alias: string;
}

/** Functions whose value differs from one server of a cluster to the next. */
const volatile = [
  "now",
  "random",
  "clock_timestamp",
  "statement_timestamp",
  "transaction_timestamp",
  "gen_random_uuid",
  "uuidv7",
  "nextval",
];

/** The problem of a statement on tables of tenants: undefined if every table in it is limited to one tenant. */
export function tenantFault(text: string, tenantTables: ReadonlySet<string>): string | undefined {
  for (const statement of parse(text).flatMap((top) => statementsIn(top))) {
    const fault = faultIn(statement, tenantTables);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultIn({ kind, body }: Statement, tenantTables: ReadonlySet<string>): string | undefined {
  const tables = tablesOf(body).filter(({ name }) => tenantTables.has(name));
  if (tables.length === 0) return undefined;
  if (kind === "MergeStmt") return "MERGE is not known to every server this runs on";
  const written = kind === "SelectStmt" ? undefined : writeFault(kind, body);
  return (
    written ?? starFault(body) ?? (kind === "InsertStmt" ? undefined : unboundFault(body, tables))
  );
}

function tablesOf(body: Part): Table[] {
  const places = [part({ RangeVar: body.relation }), body.fromClause, body.usingClause];
  return places
    .flatMap((place) => nodesOf(place, "RangeVar"))
    .filter((range) => range.relname !== undefined)
    .map((range) => ({
      name: String(range.relname),
      alias: String(part(range.alias).aliasname ?? range.relname),
    }));
}

function writeFault(kind: Statement["kind"], body: Part): string | undefined {
  const own = [body, part(part(body.selectStmt).SelectStmt)];
  const called = nodesOf(own, "FuncCall").map((call) => names(call.funcname).at(-1) ?? "");
  if (nodesOf(own, "SQLValueFunction").length > 0 || called.some((name) => volatile.includes(name)))
    return "instants and ids are parameters, not made by the server";
  if (kind === "UpdateStmt" && targets(body.targetList).includes("tenant_id"))
    return "tenant_id is never changed";
  if (kind !== "InsertStmt") return undefined;
  if (!targets(body.cols).includes("tenant_id")) return "the insert does not name tenant_id";
  const conflict = parts(part(part(body.onConflictClause).infer).indexElems).map(
    (entry) => part(entry.IndexElem).name,
  );
  return conflict.length > 0 && !conflict.includes("tenant_id")
    ? "ON CONFLICT does not name tenant_id"
    : undefined;
}

function targets(list: unknown): unknown[] {
  return parts(list).map((entry) => part(entry.ResTarget).name);
}

function starFault(body: Part): string | undefined {
  const shown = [...parts(body.targetList), ...parts(part(body.returningClause).exprs)].map(
    (entry) => part(part(part(entry.ResTarget).val).ColumnRef),
  );
  return shown.some((column) => names(column.fields).at(-1) === "*")
    ? "list the columns: a star changes with the table"
    : undefined;
}

/** Every table's tenant_id must equal a parameter, or that of such a table. Only conditions that always hold count: not those under OR. */
function unboundFault(body: Part, tables: Table[]): string | undefined {
  const bound = new Set<string>();
  const pairs = equalities(body).map((pair) => pair.map((side) => tableOf(side, tables)));
  for (let size = -1; size < bound.size; ) {
    size = bound.size;
    for (const [left, right] of pairs) {
      if (left !== undefined && (right === undefined || bound.has(right))) bound.add(left);
      if (right !== undefined && (left === undefined || bound.has(left))) bound.add(right);
    }
  }
  const loose = tables.find(({ alias }) => !bound.has(alias));
  return loose && `${loose.alias} is not held to one tenant`;
}

/** The alias whose tenant_id this is; undefined for a parameter, a constant or a column of a query around this one. */
function tableOf(side: Part, tables: Table[]): string | undefined {
  const fields = names(part(side.ColumnRef).fields);
  if (fields.at(-1) !== "tenant_id") return undefined;
  return fields.length > 1
    ? tables.find(({ alias }) => alias === fields.at(-2))?.alias
    : tables[0]?.alias;
}

function equalities(body: Part): Part[][] {
  const joins = nodesOf(body.fromClause, "JoinExpr");
  const shared = joins.filter((join) => names(join.usingClause).includes("tenant_id"));
  const quals = [body.whereClause, ...joins.map((join) => join.quals)].flatMap((condition) =>
    conjuncts(part(condition)),
  );
  const compared = quals
    .map((qual) => part(qual.A_Expr))
    .filter((expression) => expression.kind === "AEXPR_OP" && names(expression.name)[0] === "=");
  const pairs = compared.map((expression) => [part(expression.lexpr), part(expression.rexpr)]);
  const named = pairs.filter((pair) =>
    pair.some((side) => names(part(side.ColumnRef).fields).at(-1) === "tenant_id"),
  );
  return [...named, ...shared.map((join) => [column(join.larg), column(join.rarg)])];
}

function column(side: unknown): Part {
  const range = nodesOf(side, "RangeVar")[0];
  const alias = String(part(range?.alias).aliasname ?? range?.relname);
  return {
    ColumnRef: { fields: [{ String: { sval: alias } }, { String: { sval: "tenant_id" } }] },
  };
}

function conjuncts(condition: Part): Part[] {
  const all = part(condition.BoolExpr);
  return all.boolop === "AND_EXPR" ? parts(all.args).flatMap(conjuncts) : [condition];
}
