import { type ColumnWidths, inBounds, narrowest, type Widths, widest } from "./widths";

const headOf = (handle: HTMLElement) => handle.closest("th");

/** The heads of the row that have a handle, by the id of their column. */
function headsOf(handle: HTMLElement): [string, HTMLTableCellElement][] {
  const cells = [...(handle.closest("tr")?.cells ?? [])];
  return cells.flatMap((cell) => {
    const id = cell.querySelector<HTMLElement>("[data-column]")?.dataset.column;
    return id === undefined ? [] : [[id, cell] as [string, HTMLTableCellElement]];
  });
}

/** Fixes the widths of this column and those before it, so that its edge follows the handle. */
function widthsUpTo(handle: HTMLElement): Widths {
  const heads = headsOf(handle);
  const last = heads.findIndex(([, cell]) => cell.contains(handle));
  const seen = heads.slice(0, last + 1).filter(([, cell]) => cell.offsetWidth > 0);
  return Object.fromEntries(seen.map(([id, cell]) => [id, cell.offsetWidth]));
}

/** Sets widths directly in the DOM: React would render the table on each move of the pointer. */
function show(handle: HTMLElement, widths: Widths): void {
  const table = handle.closest("table");
  if (!table) return;
  const wide: number[] = [];
  for (const [id, { cellIndex }] of headsOf(handle)) {
    const pixels = widths[id];
    table.style.removeProperty(`--w${cellIndex + 1}`);
    if (pixels === undefined) continue;
    table.style.setProperty(`--w${cellIndex + 1}`, `${pixels}px`);
    wide.push(cellIndex + 1);
  }
  if (wide.length > 0) table.dataset.wide = wide.join(" ");
  else delete table.dataset.wide;
}

/** Sets and stores the width of the handle's column. */
function settle(handle: HTMLElement, pixels: number, { chosen, change }: ColumnWidths): void {
  const id = handle.dataset.column ?? "";
  const next = { ...chosen, ...widthsUpTo(handle), [id]: inBounds(pixels) };
  show(handle, next);
  change(next);
}

/** The width that the column needs for the content of all its cells. */
function contentWidth(handle: HTMLElement): number {
  const head = headOf(handle);
  const rows = [...(handle.closest("table")?.rows ?? [])];
  const range = document.createRange();
  const widths = rows.flatMap(({ cells }) => {
    const cell = cells[head?.cellIndex ?? 0];
    if (!cell || cell.colSpan > 1) return [];
    range.selectNodeContents(cell);
    if (cell === head) range.setEndBefore(handle);
    const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(cell);
    const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
    return [range.getBoundingClientRect().width + padding];
  });
  return Math.ceil(Math.max(narrowest, ...widths)) + 1;
}

const isFromRight = (handle: HTMLElement) => getComputedStyle(handle).direction === "rtl";

/** The keys of a window splitter: the arrows move it, Home and End move it to its limits, Enter sizes the column to its content. */
export function press(
  handle: HTMLElement,
  { key, shiftKey = false }: { key: string; shiftKey?: boolean },
  widths: ColumnWidths,
): void {
  const now = headOf(handle)?.offsetWidth ?? 0;
  const step = (shiftKey ? 64 : 16) * (isFromRight(handle) ? -1 : 1);
  const targets = new Map([
    ["ArrowLeft", now - step],
    ["ArrowRight", now + step],
    ["Home", narrowest],
    ["End", widest],
  ]);
  settle(handle, targets.get(key) ?? contentWidth(handle), widths);
}

interface Press {
  pointerId: number;
  /** The position at which the handle was pressed. */
  clientX: number;
  /** The distance that the pointer has moved since, before this code was loaded. */
  moved: number;
}

/** Follows the pointer from the press of the handle to its release; Escape restores the widths. */
export function drag(
  handle: HTMLElement,
  { pointerId, clientX, moved }: Press,
  widths: ColumnWidths,
): void {
  const before = widthsUpTo(handle);
  const id = handle.dataset.column ?? "";
  const sign = isFromRight(handle) ? -1 : 1;
  const widthAfter = (pixels: number) => inBounds((before[id] ?? 0) + sign * pixels);
  let width = moved === 0 ? undefined : widthAfter(moved);
  const finish = () => {
    if (width !== undefined) settle(handle, width, widths);
  };
  if (!handle.hasPointerCapture(pointerId)) {
    finish();
    return;
  }
  const over = new AbortController();
  const listen = (type: "pointermove" | "lostpointercapture", run: (event: PointerEvent) => void) =>
    handle.addEventListener(type, run, { signal: over.signal });
  listen("pointermove", (event) => {
    width = widthAfter(event.clientX - clientX);
    show(handle, { ...widths.chosen, ...before, [id]: width });
  });
  listen("lostpointercapture", () => {
    over.abort();
    finish();
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    over.abort();
    handle.releasePointerCapture(pointerId);
    show(handle, widths.chosen);
  };
  window.addEventListener("keydown", onKey, { signal: over.signal, capture: true });
}
