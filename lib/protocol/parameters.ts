import { z } from "zod";
import { ApiError, invalid, type Problem } from "./errors";
import { isSlug } from "./formats";
import { textProblem } from "./text";
import { checkQuery } from "./validation";

type HeaderReader = Pick<Headers, "get">;

function slugHeader(headers: HeaderReader, name: string, needed: boolean): string | undefined {
  const value = headers.get(name)?.trim();
  if (!value) {
    if (needed) throw new ApiError("request.header-missing", `Send the header ${name}.`, name);
    return undefined;
  }
  if (!isSlug(value))
    throw new ApiError(
      "request.header-invalid",
      `${name} must be 1 to 63 lower-case letters, digits and single hyphens.`,
      name,
    );
  return value;
}

/** The tenant and site headers: part of a request's frame, checked before anything else. Throws 400. */
export function readFrame(
  headers: HeaderReader,
  needs: { needsTenant: boolean; needsSite: boolean },
) {
  const tenantId = slugHeader(headers, "X-Service-Tenant", needs.needsTenant) ?? "";
  const siteId = slugHeader(headers, "X-Service-Site", needs.needsSite) ?? "";
  return { tenantId, siteId };
}

/**
 * The values of `{name}` in a path template, percent-decoded. The path is known to fit the template. Adds what breaks the rule of text
 * to the problems, by `{name}`.
 */
export function readPathParameters(
  template: string,
  pathname: string,
  problems: Problem[],
): Record<string, string> {
  const values: Record<string, string> = {};
  if (!template.includes("{")) return values;
  const given = pathname.split("/");
  for (const [index, part] of template.split("/").entries()) {
    if (!part.startsWith("{")) continue;
    const value = decode(given[index] ?? "");
    values[part.slice(1, -1)] = value;
    const held = textProblem(value, "line");
    if (held !== undefined)
      problems.push({ pointer: part, detail: `${part} in the path must not contain ${held}.` });
  }
  return values;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError("request.malformed", "Invalid percent-encoding in the path.");
  }
}

/** A parameter that stands several times becomes an array. One that is called `__proto__` is one like others. */
function readSearch(search: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(search);
  // What is no UTF-8 was replaced by this character.
  if (parameters.toString().includes("%EF%BF%BD") && !/%EF%BF%BD/i.test(search))
    throw new ApiError("request.malformed", "The query is not correctly percent-encoded UTF-8.");
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** The query as an object. */
export function readQuery(
  schema: z.ZodType | undefined,
  search: string,
  problems: Problem[],
): unknown {
  if (search === "" && !schema) return undefined;
  const given = readSearch(search);
  const checked = checkQuery(schema ?? z.strictObject({}), given);
  if (!checked.problems) return schema ? checked.value : undefined;
  problems.push(...checked.problems);
  return undefined;
}

export function rejectIfAny(problems: Problem[]): void {
  if (problems.length > 0) throw invalid(problems);
}
