"use client";

import { type RefObject, useEffect, useRef } from "react";
import { isForPage } from "@/components/ui/typed-ahead";

/** The keyboard actions on the rows of a list, whose links have the row's id as data-row. */
interface RowKeys {
  /** The element around the table. */
  frame: RefObject<HTMLElement | null>;
  /** The id of the row shown in the peek panel. */
  peeked: string | undefined;
  onPeek: (id: string | undefined) => void;
}

const steps: Record<string, number> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

/** On a phone, where rows are cards, there is no room for a panel next to them. */
const hasRoom = () => window.matchMedia("(width >= 40rem)").matches;

const rowOf = (target: Element | null) =>
  target?.closest("tr")?.querySelector<HTMLElement>("[data-row]") ?? null;

/** The row that the next key starts from: the focused one, otherwise the peeked one, otherwise the last one. */
function currentRow(rows: HTMLElement[], frame: HTMLElement, last: string | undefined) {
  const focused = frame.contains(document.activeElement) ? rowOf(document.activeElement) : null;
  return rows.indexOf(focused ?? rows.find(({ dataset }) => dataset.row === last) ?? frame);
}

/** Whether a key is for the rows: without a focused row an arrow scrolls the page and Space presses a button. */
function isForRows({ key, target }: KeyboardEvent, frame: HTMLElement): boolean {
  const isOnRow = target instanceof HTMLElement && target.matches("[data-row]");
  if (key.startsWith("Arrow")) return target instanceof Node && frame.contains(target);
  return key !== " " || (isOnRow && frame.contains(target));
}

/**
 * j and k, and the arrows within the table, move the focus from row to row; Space and p open the peek panel, Esc closes it.
 * The focus is the selection: Enter opens the row because its link has it.
 */
export function useRowKeys({ frame, peeked, onPeek }: RowKeys): void {
  const last = useRef<string>(undefined);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const table = frame.current;
      if (!table || !isForPage(event) || !isForRows(event, table)) return;
      const rows = [...table.querySelectorAll<HTMLElement>("[data-row]")];
      const at = currentRow(rows, table, peeked ?? last.current);
      const step = steps[event.key];
      const isPeek = (event.key === " " || event.key === "p") && !event.repeat && hasRoom();
      const isEnd = peeked !== undefined && (event.key === "Escape" || isPeek);
      const row = rows[isPeek || isEnd ? Math.max(at, 0) : at + (step ?? 0)];
      if (!row || !(step || isPeek || isEnd)) return;
      event.preventDefault();
      row.focus();
      last.current = row.dataset.row;
      if (isEnd) onPeek(undefined);
      else if (isPeek || peeked !== undefined) onPeek(row.dataset.row);
    };
    // Some browsers press a button on keyup, although Space has already opened the peek panel.
    const onLetGo = (event: KeyboardEvent) => {
      const isButton = event.target instanceof Element && event.target.matches("button[data-row]");
      if (event.key === " " && isButton && hasRoom()) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("keyup", onLetGo);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("keyup", onLetGo);
    };
  }, [frame, peeked, onPeek]);
}
