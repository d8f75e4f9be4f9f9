import type { Mark } from "./access-review-marks";

const steps: Partial<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };
const wishes: Partial<Record<string, Mark>> = { k: "keep", r: "remove" };

const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>("tr[data-grant]")];

/** The row whose buttons have the focus: -1 where none has it, so that a step down leads to the first. */
const focusedRow = (rows: HTMLElement[]) =>
  rows.findIndex((row) => row.contains(document.activeElement));

function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector("button")?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

/** k and r mark the row with the focus and go on to the next; the arrows move, from the page itself to the first row. */
export function onReviewKey(
  event: KeyboardEvent,
  table: HTMLElement | null,
  mark: (key: string, wanted: Mark) => void,
): void {
  const [step, wanted] = [steps[event.key], wishes[event.key]];
  const isOurs = step !== undefined || wanted !== undefined;
  if (!isOurs || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (!table || document.querySelector("[role=dialog]")) return;
  const rows = rowsOf(table);
  const here = focusedRow(rows);
  if (here < 0 && (wanted || document.activeElement !== document.body)) return;
  event.preventDefault();
  const key = rows[here]?.dataset.grant;
  if (wanted && key !== undefined) mark(key, wanted);
  focusRow(rows[here < 0 ? 0 : here + (step ?? 1)]);
}
