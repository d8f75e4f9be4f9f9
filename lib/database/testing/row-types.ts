import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Expression,
  type Program,
  parseSync,
  type TSSignature,
  type TSType,
  Visitor,
} from "oxc-parser";
import { projectRoot } from "@/lib/database/data-dir";

/** The columns that a row type declares, and whether each may be null. */
export type Columns = Map<string, { isNullable: boolean; isOptional: boolean }>;

export interface NamedRead {
  place: string;
  /** Matches the names under which the statement is prepared. */
  name: RegExp;
  columns: Columns;
}

interface Source {
  file: string;
  program: Program;
}

const programs = new Map<string, Program>();

function parseFile(file: string): Source {
  const known = programs.get(file);
  const program = known ?? parseSync(file, readFileSync(join(projectRoot(), file), "utf8")).program;
  programs.set(file, program);
  return { file, program };
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A pattern for the possible values of an expression: a text, a template, a conditional, or a constant of the file. */
function patternOf(expression: Expression | undefined, source: Source): string {
  if (expression?.type === "Literal") return escaped(String(expression.value));
  if (expression?.type === "TemplateLiteral")
    return expression.quasis.map(({ value }) => escaped(value.raw)).join(".*");
  if (expression?.type === "ConditionalExpression")
    return `${patternOf(expression.consequent, source)}|${patternOf(expression.alternate, source)}`;
  if (expression?.type === "Identifier") {
    const found = constantOf(expression.name, source);
    if (found) return patternOf(found, source);
  }
  throw new Error(`${source.file}: the name of a statement is not a text that can be read here.`);
}

function constantOf(name: string, { program }: Source): Expression | undefined {
  let found: Expression | undefined;
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && id.name === name && init) found = init;
    },
  }).visit(program);
  return found;
}

function importOf(name: string, { file, program }: Source): Source | undefined {
  for (const statement of program.body) {
    if (statement.type !== "ImportDeclaration") continue;
    const isNamed = statement.specifiers.some(({ local }) => local.name === name);
    if (!isNamed) continue;
    const from = statement.source.value;
    const path = from.startsWith("@/") ? from.slice(2) : join(dirname(file), from);
    return parseFile(`${path}.ts`);
  }
  return undefined;
}

function columnsOf(type: TSType, source: Source): Columns {
  if (type.type === "TSTypeLiteral") return membersOf(type.members);
  if (type.type === "TSIntersectionType")
    return new Map(type.types.flatMap((part) => [...columnsOf(part, source)]));
  if (type.type === "TSTypeReference" && type.typeName.type === "Identifier")
    return columnsNamed(type.typeName.name, source);
  throw new Error(`${source.file}: a row type must be an interface, a literal or both.`);
}

function columnsNamed(name: string, source: Source): Columns {
  for (const statement of source.program.body) {
    const declared =
      statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "TSInterfaceDeclaration" || declared.id.name !== name) continue;
    const parents = declared.extends.flatMap(({ expression }) =>
      expression.type === "Identifier" ? [...columnsNamed(expression.name, source)] : [],
    );
    return new Map([...parents, ...membersOf(declared.body.body)]);
  }
  const imported = importOf(name, source);
  if (imported) return columnsNamed(name, imported);
  throw new Error(`${source.file}: ${name} is no interface.`);
}

function membersOf(members: readonly TSSignature[]): Columns {
  const columns: Columns = new Map();
  for (const member of members) {
    if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier") continue;
    const type = member.typeAnnotation?.typeAnnotation;
    const isNullable =
      type?.type === "TSUnionType" && type.types.some((one) => one.type === "TSNullKeyword");
    columns.set(member.key.name, { isNullable, isOptional: member.optional });
  }
  return columns;
}

const readers = ["read", "readAccess", "readAllTenants", "readOfTenants"];

/** Every statement that is prepared under a name, with the row type that its caller declares; whole names before patterns. */
export function namedReads(): NamedRead[] {
  const files = readdirSync(join(projectRoot(), "lib"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|testing\//.test(file))
    .map((file) => `lib/${file}`)
    .filter((file) =>
      /\bread(Access|AllTenants|OfTenants)?[<(]/.test(
        readFileSync(join(projectRoot(), file), "utf8"),
      ),
    );
  const isWhole = ({ name }: NamedRead) => !name.source.includes(".*");
  return files
    .filter((file) => !/^lib\/database\/(open|tenant-scans)\.ts$/.test(file))
    .flatMap((file) => readsIn(parseFile(file)))
    .sort((a, b) => Number(isWhole(b)) - Number(isWhole(a)));
}

function readsIn(source: Source): NamedRead[] {
  const found: NamedRead[] = [];
  if (readers.every((reader) => importOf(reader, source) === undefined)) return found;
  new Visitor({
    CallExpression({ callee, arguments: given, typeArguments, start }) {
      if (callee.type !== "Identifier" || !readers.includes(callee.name)) return;
      const [type] = typeArguments?.params ?? [];
      const [name] = given;
      if (type === undefined) throw new Error(`${source.file}: say the row type of what is read.`);
      found.push({
        place: `${source.file}:${start}`,
        name: new RegExp(`^(${patternOf(name as Expression, source)})(-of-one)?$`),
        columns: columnsOf(type, source),
      });
    },
  }).visit(source.program);
  return found;
}
