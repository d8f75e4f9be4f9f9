import { perProcess } from "@/lib/protocol/per-process";
import { ticksIn } from "./circuit";
import { failed, isNodeAway, isStatementTimeout, storeFailure } from "./failures";

/** A statement that somebody waits for. */
export interface Underway {
  text: string;
  tenant: string;
  /** Whether the store said lately that it waits for a lock. */
  isBlocked: boolean;
  /** How long it has waited without any lock of its tenant's changing hands. */
  stalledTicks: number;
  /** Whether it finds out if the tenant's node is back. */
  isTrial: boolean;
  /** How often in a row the store said that it has nothing to do for it: its answer is lost. */
  missed: number;
}

/** Of those that stand behind one lock, this many of a tenant and this many tenants may keep their connections from others. */
const maxOfTenant = 2;
const maxTenants = 3;
/** A lock that many write behind changes hands all the time, on a slow machine too; one that does not for this time is held. */
const stalledTicks = ticksIn(2000);

/** What a statement begins with that names a tenant and asks every node of a cluster: that one of them is away says nothing of the tenant's. */
export const everyNode = "/* every node */ ";

const parameterPlaces = perProcess("tenant-parameter-places", () => new Map<string, number>());
const maxPlaces = 5000;

/** The tenant that a statement is held to: by the place of its parameter in the text, which every statement names. */
export function tenantOf(text: string, values: readonly unknown[] | undefined): string {
  const places = parameterPlaces();
  let place = places.get(text);
  if (place === undefined) {
    const named = Number(/\btenant_id"? = \$(\d+)/.exec(text)?.[1] ?? 1);
    place = text.startsWith(everyNode) ? -1 : named - 1;
    if (places.size >= maxPlaces) places.clear();
    places.set(text, place);
  }
  const value = values?.[place];
  return typeof value === "string" ? value : "";
}

/** Whether it stands behind a lock that does not change hands. */
const isStalled = ({ isBlocked, stalledTicks: ticks }: Underway): boolean =>
  isBlocked && ticks >= stalledTicks;

/** One that waited has its lock: those of its tenant that wait will get it too. */
export function moveOn(granted: Underway, underway: Iterable<Underway>): void {
  for (const other of underway) if (other.tenant === granted.tenant) other.stalledTicks = 0;
}

/**
 * Whether one more statement would only stand behind a lock that others like it stand behind already: those of its tenant, or those
 * of several tenants, for then it is a whole table that is locked.
 */
export function isHopeless(
  { text, tenant }: Pick<Underway, "text" | "tenant">,
  underway: Iterable<Underway>,
): boolean {
  let ofTenant = 0;
  const tenants = new Set<string>();
  for (const other of underway) {
    if (!isStalled(other) || other.text !== text) continue;
    tenants.add(other.tenant);
    if (other.tenant === tenant) ofTenant += 1;
  }
  return ofTenant >= maxOfTenant || tenants.size >= maxTenants;
}

/** Of those that stand behind a lock, the ones that would have been rejected had that been known. */
export function excess<Each extends { underway: Underway }>(waiting: readonly Each[]): Each[] {
  const kept: Underway[] = [];
  return waiting.filter(({ underway }) => {
    if (!isStalled(underway)) return false;
    const isTooMuch = isHopeless(underway, kept);
    if (!isTooMuch) kept.push(underway);
    return isTooMuch;
  });
}

/*
 * On a cluster the rows of a tenant are on one node. While that node is away, or stands still, every statement of its tenants holds a
 * connection until the coordinator gives the node up, and a few such tenants would hold them all. So a tenant whose last statement found
 * its node away is tried by few statements at a time, which all such tenants share; whatever else they ask is rejected at once. The first
 * that is answered ends it. On a single server only a tenant whose last statement took too long comes here, until its next one.
 */

const maxTrials = 2;
/** More than this are treated like the others, which costs connections and is right otherwise. */
const maxAwayTenants = 10_000;

export class AwayTenants {
  readonly #tenants = new Set<string>();
  #trials = 0;

  has(tenant: string): boolean {
    return this.#tenants.has(tenant);
  }

  /** Whether the statement that begins is a trial, which ends by `end`. Throws when as many are underway as there may be. */
  begin(tenant: string): boolean {
    if (!this.#tenants.has(tenant)) return false;
    if (this.#trials >= maxTrials) throw nodeAway();
    this.#trials += 1;
    return true;
  }

  end(isTrial: boolean): void {
    if (isTrial) this.#trials -= 1;
  }

  /** The tenant's node answered, if only that it does not like the statement. */
  answered(tenant: string): void {
    this.#tenants.delete(tenant);
  }

  failed(tenant: string, error: unknown): void {
    if (isNodeAway(error) || isStatementTimeout(error)) this.suspect(tenant);
    else if (storeFailure(error) === undefined) this.answered(tenant);
  }

  /** Its node has not answered for seconds. */
  suspect(tenant: string): void {
    if (tenant !== "" && this.#tenants.size < maxAwayTenants) this.#tenants.add(tenant);
  }
}

/** As the coordinator reports it, whose connection is good. */
const nodeAway = (): Error =>
  Object.assign(failed("08006", "The node that has this tenant's rows does not answer."), {
    severity: "ERROR",
  });
