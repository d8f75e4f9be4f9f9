/** A statement that somebody waits for. */
export interface Underway {
  text: string;
  tenant: string;
  /** Whether the store said lately that it waits for a lock. */
  isBlocked: boolean;
  /** How often in a row the store said that it has nothing to do for it: its answer is lost. */
  missed: number;
}

/** So many statements like it may wait for one lock; the next is refused at once. */
const mostOfTenant = 2;
const mostTenants = 3;

const places = new Map<string, number>();
const mostPlaces = 5000;

/** The tenant that a statement is held to: by the place of its parameter in the text, which every statement names. */
export function tenantOf(text: string, values: readonly unknown[] | undefined): string {
  let place = places.get(text);
  if (place === undefined) {
    place = Number(/\btenant_id"? = \$(\d+)/.exec(text)?.[1] ?? 1) - 1;
    if (places.size >= mostPlaces) places.clear();
    places.set(text, place);
  }
  const value = values?.[place];
  return typeof value === "string" ? value : "";
}

/**
 * Whether one more statement would only wait for the lock that others like it wait for already: those of its tenant, or those of
 * several tenants, for then it is a whole table that is locked. `isCrowded` says that few connections are left.
 */
export function isHopeless(
  { text, tenant }: Pick<Underway, "text" | "tenant">,
  underway: Iterable<Underway>,
  isCrowded: boolean,
): boolean {
  let ofTenant = 0;
  const tenants = new Set<string>();
  for (const other of underway) {
    if (!other.isBlocked || other.text !== text) continue;
    tenants.add(other.tenant);
    if (other.tenant === tenant) ofTenant += 1;
  }
  const slack = isCrowded ? 1 : 0;
  return ofTenant >= mostOfTenant - slack || tenants.size >= mostTenants - slack;
}

/** Of those that wait for a lock, the ones that would have been refused had that been known. */
export function excess<Each extends { underway: Underway }>(blocked: readonly Each[]): Each[] {
  const kept: Each[] = [];
  return blocked.filter((one) => {
    const isTooMuch = isHopeless(
      one.underway,
      kept.map(({ underway }) => underway),
      false,
    );
    if (!isTooMuch) kept.push(one);
    return isTooMuch;
  });
}
