import { ApiError } from "@/lib/protocol/errors";
import { cut, textProblem } from "@/lib/protocol/text";

/** In any case and version, so that a slip in the address is answered to a program in JSON. */
const api =
  /^\/(?:(?:v\d+|pim|\.well-known|internal|api(?!\/auth\/))(?:\/|$)|(?:openapi\.json|healthz|readyz|_next\/image)$)/i;
const unprintable = /[^!-~]|#/;
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** The path of a request target, as sent. Throws 400 and 414. */
export function pathOf(target: string, max: number): string {
  if (target.charCodeAt(0) !== 47) {
    throw new ApiError("request.malformed", "The request target must begin with a slash.");
  }
  if (target.length > max) {
    throw new ApiError(
      "request.target-too-long",
      `The request target is longer than ${max} bytes.`,
      String(max),
    );
  }
  if (unprintable.test(target)) {
    throw new ApiError(
      "request.malformed",
      "The request target holds characters that must be percent-encoded.",
    );
  }
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ApiError("request.malformed", "The path is not correctly percent-encoded UTF-8.");
  }
}

/**
 * Rejects what two readers could understand differently, rather than normalise it: 400 for a bad escape,
 * 404 for empty, dot and encoded-slash segments. Returns whether the path belongs to the interface.
 */
export function checkPath(path: string): "api" | "page" {
  const decoded = path.includes("%") ? decode(path) : path;
  const slashes = path.includes("//") || decoded.includes("\\") || /%2f/i.test(path);
  if (slashes || dotSegment.test(decoded)) throw notFound(path);
  if (api.test(path)) return "api";
  if (api.test(decoded)) throw notFound(path);
  // The interface names the parameter that breaks the rule of text; a page has no way to.
  const held = textProblem(decoded, "line");
  if (held !== undefined)
    throw new ApiError("request.malformed", `The path must not contain ${held}.`);
  return "page";
}

export function notFound(path: string): ApiError {
  return new ApiError("request.not-found", `There is nothing at ${cut(path, 200)}.`);
}

const secretNames = /^(?:(?:current|new)?password|token|api_?key)$/i;

/** Pages of the portal have a filter `apiKey`, which names keys by their ids. */
const isFilter = (target: string, name: string, value: string) =>
  name === "apiKey" && target.startsWith("/t/") && !value.includes("svk_");

/**
 * The address without what must never stand in one; undefined where nothing does. Such a query comes from a form that was sent with GET,
 * so everything else that was typed goes, too: only the tenant and where to go next stay.
 */
export function withoutSecrets(target: string): string | undefined {
  const query = target.indexOf("?");
  if (query === -1) return undefined;
  const given = [...new URLSearchParams(target.slice(query + 1))];
  const hasSecret = given.some(
    ([name, value]) => secretNames.test(name) && !isFilter(target, name, value),
  );
  if (!hasSecret) return undefined;
  const kept = given.filter(([name]) => name === "tenant" || name === "next");
  const search = new URLSearchParams(kept).toString();
  return target.slice(0, query) + (search && `?${search}`);
}
