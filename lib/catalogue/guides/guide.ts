/** Text inside a paragraph, list item or table cell. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "em"; children: Inline[] }
  | { type: "link"; href: string; children: Inline[] };

/** The kind of a token in code, which decides its colour. */
export type PieceKind = "plain" | "comment" | "string" | "keyword" | "name" | "constant";
export type Piece = [kind: PieceKind, text: string];

export interface CodeBlock {
  type: "code";
  language: string;
  text: string;
  /** The text as lines of tokens. Added only by the build. */
  lines?: Piece[][];
}

export type Block =
  | { type: "paragraph"; children: Inline[] }
  | { type: "list"; isOrdered: boolean; items: Inline[][] }
  | { type: "table"; head: Inline[][]; rows: Inline[][][] }
  | CodeBlock;

/** The content under one heading. The first section of a guide has no title. */
export interface Section {
  id: string;
  title: string;
  blocks: Block[];
}

export interface Guide {
  name: string;
  title: string;
  /** The first paragraph. */
  lead: Inline[];
  group: string;
  sections: Section[];
  /** The source, with links that work at the guide's address. */
  markdown: string;
}

export const isCode = (block: Block): block is CodeBlock => block.type === "code";

/** The text of inline content, without markup. */
export const textOf = (parts: readonly Inline[]): string =>
  parts.map((part) => ("text" in part ? part.text : textOf(part.children))).join("");
