"use client";

import type { Node } from "jsonc-parser";
import { t } from "@/components/texts/t";

interface OutlineEntry {
  pointer: string;
  name: string;
  depth: number;
  offset: number;
  /** Its number of entries, such as `{3}` or `[12]`. */
  size: string;
}

/** Above this number of entries the outline is of no use. */
const maxEntries = 300;
const maxDepth = 2;

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function sizeOf({ type, children = [] }: Node): string {
  if (type === "object") return `{${children.length}}`;
  return type === "array" ? `[${children.length}]` : "";
}

/** The properties of a configuration and of the objects in it, in the order of the text. */
export function outlineOf(root: Node): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const add = (parent: Node, above: string, depth: number) => {
    for (const { children = [] } of parent.children ?? []) {
      const [key, value] = children;
      if (!key || entries.length >= maxEntries) return;
      const name = String(key.value);
      const pointer = `${above}/${escaped(name)}`;
      const size = value ? sizeOf(value) : "";
      entries.push({ pointer, name, depth, offset: key.offset, size });
      if (value?.type === "object" && depth < maxDepth) add(value, pointer, depth + 1);
    }
  };
  add(root, "", 1);
  return entries;
}

interface JsonOutlineProps {
  root: Node;
  onOpen: (offset: number) => void;
}

/** The properties next to the text; a click opens one. */
export function JsonOutline({ root, onOpen }: JsonOutlineProps) {
  const entries = outlineOf(root);
  return (
    <nav
      aria-label={t("Outline")}
      className="shrink-0 overflow-y-auto border-border py-1 max-sm:max-h-36 max-sm:border-b sm:w-52 sm:border-e"
    >
      <ul>
        {entries.map(({ pointer, name, depth, offset, size }) => (
          <li key={`${pointer} ${offset}`}>
            <button
              type="button"
              onClick={() => onOpen(offset)}
              className="flex h-6 w-full items-center gap-1.5 pe-2 text-start text-meta -outline-offset-2 hover:bg-subtle"
              style={{ paddingInlineStart: depth * 12 }}
            >
              <span className="min-w-0 truncate font-mono" title={name}>
                {name}
              </span>
              <span className="shrink-0 text-faint">{size}</span>
            </button>
          </li>
        ))}
      </ul>
      {entries.length >= maxEntries ? (
        <p className="px-3 py-1 text-meta text-muted">
          {t("The first {count} properties", { count: maxEntries })}
        </p>
      ) : null}
    </nav>
  );
}
