import type { ThemedToken } from "shiki";
import { type Block, type Guide, isCode, type Piece, type PieceKind } from "./guide";

const kinds: Readonly<Record<string, PieceKind>> = {
  "var(--token-comment)": "comment",
  "var(--token-string)": "string",
  "var(--token-string-expression)": "string",
  "var(--token-keyword)": "keyword",
  "var(--token-function)": "name",
  "var(--token-constant)": "constant",
};

const toPiece = ({ color, content }: ThemedToken): Piece => [
  kinds[color ?? ""] ?? "plain",
  content,
];

/** Joins adjacent tokens of one kind, so that pages have fewer elements. */
function joined(pieces: Piece[]): Piece[] {
  return pieces.reduce<Piece[]>((all, [kind, text]) => {
    const last = all.at(-1);
    if (last?.[0] === kind) last[1] += text;
    else all.push([kind, text]);
    return all;
  }, []);
}

/** Adds the tokens of each code block. Called only by the build: the server does not load the highlighter. */
export async function highlight(guides: Guide[]): Promise<Guide[]> {
  const { createCssVariablesTheme, createHighlighter } = await import("shiki");
  const theme = createCssVariablesTheme({
    name: "kinds",
    variablePrefix: "--",
    variableDefaults: {},
  });
  const langs = ["sh", "json", "http", "js", "ts"] as const;
  const highlighter = await createHighlighter({ themes: [theme], langs: [...langs] });
  const withPieces = (block: Block): Block => {
    const lang = langs.find((one) => isCode(block) && one === block.language);
    if (!isCode(block) || lang === undefined) return block;
    const tokens = highlighter.codeToTokensBase(block.text, { lang, theme });
    return { ...block, lines: tokens.map((line) => joined(line.map(toPiece))) };
  };
  const highlighted = guides.map((guide) => ({
    ...guide,
    sections: guide.sections.map((one) => ({ ...one, blocks: one.blocks.map(withPieces) })),
  }));
  highlighter.dispose();
  return highlighted;
}
