import { createScanner, type SyntaxKind } from "jsonc-parser";

/** The spacing of a text of one line. */
export interface LineStyle {
  colon: string;
  comma: string;
}

/** A value of `SyntaxKind`, which is a const enum without values at run time. */
const endOfText: SyntaxKind.EOF = 17;

/** The tokens of a JSON text verbatim, with digits and escapes unchanged. */
function tokensOf(text: string): string[] {
  const scanner = createScanner(text, true);
  const tokens: string[] = [];
  while (scanner.scan() !== endOfText)
    tokens.push(text.substring(scanner.getTokenOffset(), scanner.getPosition()));
  return tokens;
}

const inOneLine = (tokens: string[], { colon, comma }: LineStyle) =>
  tokens.map((token) => (token === ":" ? colon : token === "," ? comma : token)).join("");

const isOpening = (token: string | undefined) => token === "{" || token === "[";
const isClosing = (token: string | undefined) => token === "}" || token === "]";

/** A JSON text with a member or an element on each line. */
export function printJson(text: string): string {
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  const tokens = tokensOf(text);
  const parts = tokens.map((token, index) => {
    if (isOpening(token)) {
      if (isClosing(tokens[index + 1])) return token;
      depth += 1;
      return token + line();
    }
    if (isClosing(token)) {
      if (isOpening(tokens[index - 1])) return token;
      depth -= 1;
      return line() + token;
    }
    return token === "," ? token + line() : token === ":" ? ": " : token;
  });
  return parts.join("");
}

const styles: readonly LineStyle[] = [
  { colon: ":", comma: "," },
  { colon: ": ", comma: ", " },
  { colon: ":", comma: ", " },
  { colon: ": ", comma: "," },
];

/** The maximum growth: deeply nested texts would become mostly spaces. */
const maxGrowth = 8;

/** The spacing of a stored text of one line; undefined for any other, which is shown as it is. */
export function lineStyleOf(text: string): LineStyle | undefined {
  if (text.includes("\n")) return undefined;
  const tokens = tokensOf(text);
  const style = styles.find((one) => inOneLine(tokens, one) === text);
  if (style === undefined || printJson(text).length > text.length * maxGrowth + 1000)
    return undefined;
  return style;
}

/** A stored text in readable form: one line becomes many, and a text with lines is unchanged. */
export const readable = (text: string, style: LineStyle | undefined) =>
  style === undefined ? text : printJson(text);

/** An edited text in the stored style, so that only the edits differ. */
export const asStored = (text: string, style: LineStyle | undefined) =>
  style === undefined ? text : inOneLine(tokensOf(text), style);
