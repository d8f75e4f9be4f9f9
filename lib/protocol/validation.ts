import type { z } from "zod";
import type { Problem } from "./errors";
import { pointerTo } from "./json";
import { textProblems } from "./text";

type Issue = z.core.$ZodIssue;

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`);

function sentence(issue: Issue, isMissing: boolean): string {
  if (isMissing) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${article(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      if (!issue.message.startsWith("Too small")) return issue.message;
      return `must ${issue.origin === "number" || issue.origin === "int" ? "be" : "have"} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      if (!issue.message.startsWith("Too big")) return issue.message;
      return `must ${issue.origin === "number" || issue.origin === "int" ? "be" : "have"} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case "invalid_key":
      return issue.issues[0]?.message ?? "is no name that can be used";
    default:
      return issue.message;
  }
}

function unit(origin: string, count: number | bigint): string {
  const noun = { string: " character", array: " item", set: " item" }[origin];
  return noun === undefined ? "" : `${noun}${count === 1 ? "" : "s"}`;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, part) =>
      typeof at === "object" && at !== null
        ? (at as Record<PropertyKey, unknown>)[part]
        : undefined,
    value,
  );
}

/** Values beyond these are sorted last, and problems beyond these are only counted: a body may have a hundred thousand of either. */
const maxPlaced = 10_000;
const maxChecked = 1000;

/** The position of each value in the document, to list problems in its order. */
function positions(
  value: unknown,
  pointer = "",
  found = new Map<string, number>(),
): Map<string, number> {
  if (found.size >= maxPlaced) return found;
  found.set(pointer, found.size);
  const add = (name: PropertyKey, member: unknown) =>
    void positions(member, pointerTo(pointer, name), found);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && found.size < maxPlaced; index += 1)
      add(index, value[index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) add(name, member);
  }
  return found;
}

/** The number of problems in the issues: one issue may list many unknown fields. */
export function countProblems(issues: readonly Issue[]): number {
  return issues.reduce(
    (sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1),
    0,
  );
}

/** By JSON Pointer and in document order; missing fields are last. */
function inOrder(problems: Problem[], body: unknown): Problem[] {
  const order = positions(body);
  const place = (problem: Problem) => order.get(problem.pointer) ?? Number.POSITIVE_INFINITY;
  return problems.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

const bodyPointer = (path: readonly PropertyKey[]) => pointerTo("", ...path);

/** The problems of a value of the service itself. */
export const bodyProblems = (error: z.ZodError, body: unknown): Problem[] =>
  inOrder(problemsOf(error.issues, body, bodyPointer), body);

/** First violations of the rule of text, then the schema's problems of other fields. */
function mergeProblems(
  texts: { path: PropertyKey[]; held: string }[],
  others: Problem[],
  pointerOf: (path: readonly PropertyKey[]) => string,
): Problem[] {
  const found = texts.map(({ path, held }) => {
    const pointer = pointerOf(path);
    return { pointer, detail: `${pointer || "The body"} must not contain ${held}.` };
  });
  const pointers = new Set(found.map(({ pointer }) => pointer));
  return [...found, ...others.filter(({ pointer }) => !pointers.has(pointer))];
}

/** The value parsed by its schema, or its problems. `total` also counts problems that are not listed. */
export type Checked<Value> =
  | { value: Value; problems?: undefined }
  | { problems: Problem[]; total: number };

/** Input in a body, or in a line of one, is validated only by this function: the rule of text applies under every schema. */
export function checkBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): Checked<z.output<Schema>> {
  const texts = textProblems(schema, body);
  const parsed = schema.safeParse(body);
  if (parsed.success && texts.length === 0) return { value: parsed.data };
  const issues = parsed.error?.issues ?? [];
  const problems = mergeProblems(texts, problemsOf(issues, body, bodyPointer), bodyPointer);
  const total = Math.max(problems.length, texts.length + countProblems(issues));
  return { problems: inOrder(problems, body), total };
}

/** A query parsed by its schema: the rule of text applies to every parameter. */
export function checkQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: Record<string, string | string[]>,
): Checked<z.output<Schema>> {
  const texts = textProblems(schema, query);
  const parsed = schema.safeParse(query);
  if (parsed.success && texts.length === 0) return { value: parsed.data };
  const others = parsed.error ? queryProblems(parsed.error, query) : [];
  const problems = mergeProblems(texts, others, ([name = ""]) => `?${String(name)}`);
  return { problems, total: problems.length };
}

/** A list instead of a single value is a repeated parameter. */
function reportRepeated(issue: Issue, query: Record<string, string | string[]>): Issue {
  const isWhole =
    issue.path.length === 1 && (issue.code === "invalid_type" || issue.code === "invalid_value");
  if (!isWhole || !Array.isArray(query[String(issue.path[0])])) return issue;
  return {
    code: "custom",
    path: issue.path,
    message: "was given more than once",
    input: issue.input,
  };
}

/** The problems of the query, by `?name`. */
function queryProblems(error: z.ZodError, query: Record<string, string | string[]>): Problem[] {
  const found = new Map<string, Problem>();
  // `period[unit]` and `domain[]` are notations for `period` and `domain`.
  const given = {
    ...query,
    ...Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name.replace(/\[\w*\]$/, ""), value]),
    ),
  };
  for (const issue of error.issues) {
    // The parts of a parameter have no separate pointers.
    const whole =
      issue.code === "unrecognized_keys"
        ? issue
        : { ...reportRepeated(issue, query), path: issue.path.slice(0, 1) };
    for (const problem of problemsOf([whole], given, (path) => `?${String(path[0] ?? "")}`))
      found.set(problem.pointer, problem);
  }
  return [...found.values()];
}

function problemsOf(
  issues: Issue[],
  value: unknown,
  pointerOf: (path: PropertyKey[]) => string,
): Problem[] {
  return issues.slice(0, maxChecked).flatMap((issue): Problem[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.slice(0, maxChecked).map((key) => {
        const pointer = pointerOf([...issue.path, key]);
        return { pointer, detail: `${pointer} is not known here.` };
      });
    }
    const pointer = pointerOf(issue.path);
    const isMissing = valueAt(value, issue.path) === undefined;
    return [{ pointer, detail: `${pointer || "The body"} ${sentence(issue, isMissing)}.` }];
  });
}
