/** One {expression} of RFC 6570. */
interface Expression {
  operator: string;
  variables: { name: string; prefix: number | undefined; isExploded: boolean }[];
}

type Part = string | Expression;

/** The variables that a preview fills in. */
export const templateVariables = ["entityType", "slug", "locale"] as const;
type TemplateVariable = (typeof templateVariables)[number];

const name = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*";
const variable = new RegExp(`^(${name})(?::([1-9]\\d{0,3})|(\\*))?$`);
/** Allowed outside expressions: no controls, space, double quotes, angle brackets, backslash, caret, grave accent, bar or lone percent sign. */
const literal =
  /^(?:[!#$&'(-;=?-[\]_a-z~\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\u{10000}-\u{efffd}]|%[0-9A-Fa-f]{2})*$/u;

function parseExpression(text: string): Expression | undefined {
  const operator = /^[+#./;?&]/.exec(text)?.[0] ?? "";
  const matches = text
    .slice(operator.length)
    .split(",")
    .map((one) => variable.exec(one));
  const variables = matches.flatMap((match) =>
    match?.[1]
      ? [
          {
            name: match[1],
            prefix: match[2] ? Number(match[2]) : undefined,
            isExploded: match[3] !== undefined,
          },
        ]
      : [],
  );
  return variables.length === matches.length ? { operator, variables } : undefined;
}

/** The parts of an RFC 6570 template (all four levels); undefined when it is not one. */
export function parseTemplate(template: string): Part[] | undefined {
  const parts: Part[] = [];
  for (const [index, piece] of template.split(/\{([^{}]*)\}/).entries()) {
    const part = index % 2 === 1 ? parseExpression(piece) : literal.test(piece) ? piece : undefined;
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

const encoder = new TextEncoder();
const percent = (text: string) =>
  [...encoder.encode(text)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
const encodeAll = (text: string) => text.replace(/[^A-Za-z0-9._~-]/gu, percent);
const keepReserved = (text: string) =>
  text.replace(/%[0-9A-Fa-f]{2}|[^A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]/gu, (one) =>
    one.length === 3 && one[0] === "%" ? one : percent(one),
  );

interface Behaviour {
  first: string;
  separator: string;
  isNamed?: boolean;
  /** The text after the name of a variable with an empty value. */
  ifEmpty?: string;
  isReserved?: boolean;
}

const behaviours: Record<string, Behaviour> = {
  "": { first: "", separator: "," },
  "+": { first: "", separator: ",", isReserved: true },
  "#": { first: "#", separator: ",", isReserved: true },
  ".": { first: ".", separator: "." },
  "/": { first: "/", separator: "/" },
  ";": { first: ";", separator: ";", isNamed: true, ifEmpty: "" },
  "?": { first: "?", separator: "&", isNamed: true, ifEmpty: "=" },
  "&": { first: "&", separator: "&", isNamed: true, ifEmpty: "=" },
};

type Values = Partial<Record<TemplateVariable, string>>;

function expandExpression({ operator, variables }: Expression, values: Values): string {
  const behaviour = behaviours[operator] ?? { first: "", separator: "," };
  const encode = behaviour.isReserved ? keepReserved : encodeAll;
  const given = variables.flatMap((one) => {
    const value = Object.hasOwn(values, one.name)
      ? values[one.name as TemplateVariable]
      : undefined;
    if (value === undefined) return [];
    const text = encode(
      one.prefix === undefined ? value : [...value].slice(0, one.prefix).join(""),
    );
    if (!behaviour.isNamed) return [text];
    return [text === "" ? one.name + behaviour.ifEmpty : `${one.name}=${text}`];
  });
  return given.length === 0 ? "" : behaviour.first + given.join(behaviour.separator);
}

/** The URL that a template expands to; undefined when it is not a template. Values are strings, so an explode changes nothing. */
export function expandTemplate(template: string, values: Values): string | undefined {
  return parseTemplate(template)
    ?.map((part) =>
      typeof part === "string" ? keepReserved(part) : expandExpression(part, values),
    )
    .join("");
}

/** Whether the address may be framed: https, or http on this very machine. */
export function isFrameable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username || password) return false;
  return (
    protocol === "https:" ||
    (protocol === "http:" &&
      (/^(?:.+\.)?localhost$/.test(hostname) || hostname === "127.0.0.1" || hostname === "[::1]"))
  );
}

/** The problem of a urlTemplate, as the end of a sentence; undefined when it can be framed. */
export function templateFault(template: string): string | undefined {
  const parts = parseTemplate(template);
  if (!parts) return "must be a URI template (RFC 6570)";
  const names = parts.flatMap((part) =>
    typeof part === "string" ? [] : part.variables.map((one) => one.name),
  );
  if (names.some((one) => !templateVariables.some((known) => known === one)))
    return `may only use the variables ${templateVariables.join(", ")}`;
  const example = expandTemplate(template, { entityType: "page", slug: "a", locale: "en" });
  const opening = typeof parts[0] === "string" ? parts[0] : "";
  if (!example || !/^https?:\/\//i.test(opening) || !isFrameable(example))
    return "must begin with https:// and a host, or with http://localhost";
  return undefined;
}
