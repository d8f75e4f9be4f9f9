import versions from "@/docs/api/changes.json";
import { publicUrl } from "@/lib/protocol/settings";

/** One addition to the API, with the operations or schemas that have it. */
export interface Addition {
  kind: "operation" | "parameter" | "field" | "value" | "error" | "credential" | "event";
  added: string;
  at: string[];
}

/** The additions to the API of one day. */
export interface ApiVersion {
  date: string;
  additions: Addition[];
}

/**
 * The additions to /v1, newest first. Updated by `KEEP_API=1 npx vitest run lib/catalogue/breaking-changes`, which
 * compares the OpenAPI document with the previously stored one.
 */
export const changelog = (): ApiVersion[] => versions as ApiVersion[];

const nouns: Record<Addition["kind"], string> = {
  operation: "Operation",
  parameter: "Parameter",
  field: "Field",
  value: "Value",
  error: "Error",
  credential: "Credential",
  event: "Event type",
};

/** An addition as one line: "Field rateLimit in ApiKey". */
export function describeAddition({ kind, added, at }: Addition): string {
  if (kind === "operation") return `Operation ${at.join()}: ${added}`;
  const [first = ""] = at;
  const others = at.length > 1 ? ` and ${at.length - 1} more` : "";
  return `${nouns[kind]} ${added} in ${first}${others}`;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function entryOf({ date, additions }: ApiVersion): string {
  const address = `${publicUrl()}/docs/changelog#${date}`;
  const text = additions.map(describeAddition).join("\n");
  return [
    "<entry>",
    `<id>${escaped(address)}</id>`,
    `<title>API changes of ${date}</title>`,
    `<updated>${date}T00:00:00Z</updated>`,
    `<link href="${escaped(address)}"/>`,
    `<content type="text">${escaped(text)}</content>`,
    "</entry>",
  ].join("");
}

/** The changelog as a feed (RFC 4287). */
export function changelogFeed(): string {
  const address = `${publicUrl()}/docs/changelog`;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${escaped(address)}</id>`,
    "<title>Gatehouse API changelog</title>",
    "<author><name>Gatehouse</name></author>",
    `<updated>${changelog()[0]?.date ?? "2026-11-22"}T00:00:00Z</updated>`,
    `<link href="${escaped(address)}"/>`,
    `<link rel="self" href="${escaped(`${address}.atom`)}"/>`,
    ...changelog().map(entryOf),
    "</feed>",
  ].join("\n");
}
