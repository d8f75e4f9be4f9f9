/** The element that has its own title back when the pointer leaves the cell, and that title. */
let lent: { cell: Element; on: HTMLElement; title: string } | undefined;

const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;

/** What a cell says where it is cut. */
function cutText(cell: HTMLElement): string {
  const parts = [cell, ...cell.querySelectorAll<HTMLElement>(".truncate")];
  return parts.some(isCut) ? cell.textContent.trim() : "";
}

/**
 * Gives what the pointer is over a title with the whole text of a cell that is cut. Of a row that a link covers the pointer is always over
 * the link, whichever cell is below.
 */
export function titleCutText({ target, clientX, clientY }: PointerEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const cell = document
    .elementsFromPoint(clientX, clientY)
    .find((one): one is HTMLTableCellElement => one instanceof HTMLTableCellElement);
  if (lent?.cell === cell && lent?.on === target) return;
  if (lent) lent.on.title = lent.title;
  lent = undefined;
  if (!cell || (cell.contains(target) && target.closest("td [title], th [title]"))) return;
  const own = cell.contains(target) ? "" : cell.querySelector<HTMLElement>("[title]")?.title;
  lent = { cell, on: target, title: target.title };
  target.title = own || cutText(cell);
}
