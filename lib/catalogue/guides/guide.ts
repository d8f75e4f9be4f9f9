/** Text inside a paragraph, list item or table cell. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "em"; children: Inline[] }
  | { type: "link"; href: string; children: Inline[] };

/** What a piece of code is: it decides the colour. */
export type PieceKind = "plain" | "comment" | "string" | "keyword" | "name" | "constant";
export type Piece = [kind: PieceKind, text: string];

export interface CodeBlock {
  type: "code";
  language: string;
  text: string;
  /** The text line by line, in pieces. Only the build adds them. */
  lines?: Piece[][];
}

export type Block =
  | { type: "paragraph"; children: Inline[] }
  | { type: "list"; isOrdered: boolean; items: Inline[][] }
  | { type: "table"; head: Inline[][]; rows: Inline[][][] }
  | CodeBlock;

/** What stands under one heading. The first section of a guide has no title. */
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

/** The words of inline text, without its marks. */
export const textOf = (parts: readonly Inline[]): string =>
  parts.map((part) => ("text" in part ? part.text : textOf(part.children))).join("");
