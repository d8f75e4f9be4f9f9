import { createElement, Fragment, type ReactNode } from "react";
import { type Message, t } from "./t";

/** The elements for the placeholders of a text and around its marked words. */
export type Parts = Readonly<Record<string, ReactNode | ((inner: ReactNode) => ReactNode)>>;

const piece = /\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g;

/** Inserts elements into a translated text. */
export function withParts(text: string, parts: Parts): ReactNode {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(piece)) {
    const [whole, placeholder, tag, inner = ""] = match;
    const part = parts[placeholder ?? tag ?? ""];
    if (part === undefined) continue;
    nodes.push(text.slice(end, match.index));
    nodes.push(typeof part === "function" ? part(withParts(inner, parts)) : part);
    end = match.index + whole.length;
  }
  nodes.push(text.slice(end));
  return nodes.map((node, index) => createElement(Fragment, { key: index }, node));
}

/** A text with elements in it: `{name}` is replaced by a part, `<name>words</name>` is passed to one. */
export function rich<Text extends string>(
  text: (string extends Text ? never : Text) | Message,
  parts: Parts,
): ReactNode {
  return withParts(t(text), parts);
}
