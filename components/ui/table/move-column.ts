/** The order with one column moved by this many places; unchanged where that is not a place for it. The first place is taken. */
export function moveColumn(order: readonly string[], id: string, by: number): string[] {
  const from = order.indexOf(id);
  const to = from + by;
  const rest = order.filter((one) => one !== id);
  return from < 1 || to < 1 || to > rest.length
    ? [...order]
    : [...rest.slice(0, to), id, ...rest.slice(to)];
}
