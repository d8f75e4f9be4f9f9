import { type Message, msg, t } from "@/components/texts/t";

/** A parsed command of the palette: `lock ada` is a verb and its object. */
export interface PaletteCommand {
  verb: string | undefined;
  /** Without the verb. */
  words: string;
}

/** The verbs for users and keys; the English ones work in every language. */
const verbs: Record<string, Message> = {
  lock: msg("lock##command"),
  unlock: msg("unlock##command"),
  roles: msg("roles##command"),
  access: msg("access##command"),
  rotate: msg("rotate##command"),
  suspend: msg("suspend##command"),
  resume: msg("resume##command"),
  rename: msg("rename##command"),
  revoke: msg("revoke##command"),
};

const verbOf = (word: string) =>
  Object.entries(verbs).find(([verb, name]) => verb === word || t(name) === word)?.[0];

/**
 * @example commandOf("lock ada") // { verb: "lock", words: "ada" }
 * @example commandOf("lock ") // { verb: "lock", words: "" }: the object comes next
 */
export function commandOf(search: string): PaletteCommand {
  const [first = "", ...others] = search.trimStart().split(/\s+/);
  const verb = others.length === 0 ? undefined : verbOf(first.toLowerCase());
  const words = verb === undefined ? search.trim() : others.join(" ").trim();
  return { verb, words };
}

/** The search text of a verb, ready for its object. */
export function searchOf(verb: string): string {
  const name = verbs[verb];
  return `${name === undefined ? verb : t(name)} `;
}

/** A call as it was pasted. Its headers are not read: they hold secrets. */
export interface PastedCall {
  method: string;
  path: string;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

function methodOf(text: string): string {
  const given = /(?:^|\s)(?:-X|--request)[=\s]*['"]?([A-Za-z]+)/.exec(text)?.[1]?.toUpperCase();
  if (given) return given;
  if (/\s(?:-I|--head)(?:\s|$)/.test(text)) return "HEAD";
  return /\s(?:-d|--data[\w-]*|--json)[=\s]/.test(text) ? "POST" : "GET";
}

const pathOf = (url: string) => {
  const path = url.replace(/^[a-z]+:\/\/[^/]+/i, "").replace(/^\$\{?\w+\}?/, "");
  return path.replace(/[?#].*$/, "");
};

/** The call of a pasted curl, or of `GET /v1/user/list`; undefined for any other text. */
export function pastedCall(text: string): PastedCall | undefined {
  const line = text.trim().replace(/\\\s+/g, " ");
  const [, method, target] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(line) ?? [];
  if (method && target && methods.includes(method.toUpperCase()))
    return { method: method.toUpperCase(), path: pathOf(target) };
  if (!/^curl\s/.test(line)) return undefined;
  const url = /(?:^|\s)['"]?((?:https?:\/\/|\$\{?\w+\}?\/)[^\s'"]+)/.exec(line)?.[1];
  const path = url === undefined ? "" : pathOf(url);
  return path.startsWith("/") ? { method: methodOf(line), path } : undefined;
}

/** Whether the text is a call, complete or not: it may contain a secret, so it is never sent. */
export const isCall = (text: string): boolean =>
  /^curl\s/i.test(text.trim()) || pastedCall(text) !== undefined;

/** Whether the path template of an operation, such as /v1/user/{id}, matches the path. */
function fits(template: string, path: string): boolean {
  const [wanted, given] = [template.split("/"), path.replace(/\/$/, "").split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith("{") || part === given[index])
  );
}

/** The operation of a pasted call, from the given names; one without placeholders first. */
export function operationOf(
  { method, path }: PastedCall,
  operations: readonly string[],
): string | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  const found = operations.filter((name) => {
    const [verb = "", template = ""] = name.split(" ");
    return verb === wanted && fits(template, path);
  });
  return found.find((name) => !name.includes("{")) ?? found[0];
}
