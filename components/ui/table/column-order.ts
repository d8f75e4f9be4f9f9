/**
 * The columns of a table in a wanted order. The first one, which names the row, stays first. A column that the order does not name,
 * because a later version of the table added it, follows the one that it follows by default; what is not a column is ignored.
 *
 * @example inOrder(["name", "login", "roles", "status"], ["name", "status", "login"]) // ["name", "status", "login", "roles"]
 */
export function inOrder(columns: readonly string[], wanted: readonly string[]): string[] {
  const known = wanted.filter((id) => columns.includes(id));
  const order = [...new Set([...columns.slice(0, 1), ...known])];
  let before = "";
  for (const id of columns) {
    if (!order.includes(id)) order.splice(order.indexOf(before) + 1, 0, id);
    before = id;
  }
  return order;
}
