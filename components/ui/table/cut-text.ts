/** The element with a temporary title, and its original title to restore when the pointer leaves the cell. */
let lent: { cell: Element; on: HTMLElement; title: string } | undefined;

const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;

/** The full text of a clipped cell. */
function cutText(cell: HTMLElement): string {
  const parts = [cell, ...cell.querySelectorAll<HTMLElement>(".truncate")];
  return parts.some(isCut) ? cell.textContent.trim() : "";
}

/**
 * Sets the title of the element under the pointer to the text of a clipped cell. In a row
 * covered by a link the pointer is always over the link, regardless of the cell below.
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
