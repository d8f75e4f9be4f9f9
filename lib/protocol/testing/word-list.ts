import { parseSync, Visitor } from "oxc-parser";

/** Words that identifiers must not use, and the term of the field to use instead. */
export const identifierTerms = {
  alone: "only",
  begun: "a verb that says the effect",
  beside: "next to, or what it is",
  demand: "assert",
  desk: "what it is",
  door: "server",
  ending: "revocation, end or expiry",
  endings: "revocations",
  entrant: "candidate",
  fits: "matches",
  judge: "assert, or check",
  judged: "checked",
  keeps: "retention",
  longest: "max",
  most: "max",
  refusal: "rejection",
  refusals: "rejections",
  refuse: "reject",
  refused: "rejected",
  standing: "status",
  tell: "report",
  told: "what it is",
  touched: "changed",
  touching: "withXForUpdate",
} as const;

const terms: ReadonlyMap<string, string> = new Map(Object.entries(identifierTerms));

/** Names of columns, tables and of the API, which do not change, and "at most" as a comparison. */
const allowed = new Set([
  "RefusedRequest",
  "RefusedRequestDetails",
  "consumerEndings",
  "endings",
  "endingsSeq",
  "isAtMost",
  "longestApiKeyDays",
  "refusalId",
  "refusedRequests",
]);

/** Each identifier of a file with a listed word, as "file: name: use ...". */
export function wordsToReplace(file: string, source: string): string[] {
  if (!/^lib\/(access|http|features|protocol|catalogue|setup|server|database)\//.test(file))
    return [];
  if (/\.test\.ts$|\/testing\//.test(file)) return [];
  const found = new Set<string>();
  new Visitor({
    Identifier({ name }) {
      if (allowed.has(name)) return;
      for (const word of name.split(/(?=[A-Z])|_/)) {
        const term = terms.get(word.toLowerCase());
        if (term !== undefined) found.add(`${file}: ${name}: use ${term}`);
      }
    },
  }).visit(parseSync(file, source).program);
  return [...found];
}
