import { errorCodes } from "@/lib/protocol/error-codes";
import { type Block, textOf } from "./guides/guide";
import { guides } from "./guides/parse";
import { operations, slugOf } from "./operations";

/** One result of the documentation search. */
export interface SearchEntry {
  title: string;
  href: string;
  /** Its category: a guide, "Operation" or "Error". */
  where: string;
  /** What else is searched. */
  text: string;
}

/** Longer texts of a section are not indexed, which keeps the index small. */
const maxTextLength = 500;

function wordsOf(block: Block): string {
  switch (block.type) {
    case "paragraph":
      return textOf(block.children);
    case "list":
      return block.items.map(textOf).join(" ");
    case "table":
      return [block.head, ...block.rows].flat().map(textOf).join(" ");
    case "code":
      return "";
  }
}

const sections = (): SearchEntry[] =>
  guides().flatMap(({ name, title, lead, sections: parts }) => [
    { title, href: `/docs/guides/${name}`, where: "Guide", text: textOf(lead) },
    ...parts
      .filter((part) => part.title !== "")
      .map((part) => ({
        title: part.title,
        href: `/docs/guides/${name}#${part.id}`,
        where: title,
        text: part.blocks.map(wordsOf).join(" ").slice(0, maxTextLength),
      })),
  ]);

/** Every guide with its sections, every operation and every error code, for the search in the browser. */
export const searchIndex = (): SearchEntry[] => [
  ...sections(),
  ...operations.map((declared) => ({
    title: declared.operation,
    href: `/docs/${slugOf(declared)}`,
    where: "Operation",
    text: `${declared.summary} ${declared.permission ?? ""}`,
  })),
  ...Object.entries(errorCodes).map(([code, { status, title }]) => ({
    title: code,
    href: `/docs/errors/${code}`,
    where: `Error ${status}`,
    text: title,
  })),
];
