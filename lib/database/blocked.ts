import { perProcess } from "@/lib/protocol/per-process";
import { ticksIn } from "./circuit";
import { failed, isNodeAway, isStatementTimeout, storeFailure } from "./failures";

/** A statement in progress. */
export interface Underway {
  text: string;
  tenant: string;
  /** Whether the store reported recently that it waits for a lock. */
  isBlocked: boolean;
  /** How long it has waited without any lock of its tenant being granted. */
  stalledTicks: number;
  /** Whether it tests if the tenant's node is back. */
  isTrial: boolean;
  /** How often in a row the store reported that it does not execute it: its response is lost. */
  missed: number;
}

/** Of the statements that wait for one lock, this many of a tenant and of this many tenants may keep their connections. */
const maxOfTenant = 2;
const maxTenants = 3;
/** A lock with many writers is granted continually, even on a slow machine; one that is not for this time is stuck. */
const stalledTicks = ticksIn(2000);

/** Prefix of statements that name a tenant but read every node of a cluster: their failure says nothing about the tenant's node. */
export const everyNode = "/* every node */ ";

const parameterPlaces = perProcess("tenant-parameter-places", () => new Map<string, number>());
const maxPlaces = 5000;

/** The tenant of a statement, by the position of its parameter in the text, which every statement has. */
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

/** Whether it waits for a stuck lock. */
const isStalled = ({ isBlocked, stalledTicks: ticks }: Underway): boolean =>
  isBlocked && ticks >= stalledTicks;

/** A waiting statement got its lock, so the lock of its tenant's others is not stuck. */
export function moveOn(granted: Underway, underway: Iterable<Underway>): void {
  for (const other of underway) if (other.tenant === granted.tenant) other.stalledTicks = 0;
}

/**
 * Whether one more statement would only wait for a stuck lock: the same statement of its tenant already does, or that of several
 * tenants, which means that a whole table is locked.
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

/** The waiting statements that would have been rejected if the lock had been known to be stuck. */
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
 * On a cluster the rows of a tenant are on one node. While that node is unreachable or stopped, every statement of its tenants uses a
 * connection until the coordinator times out, and a few such tenants would use all of them. So tenants whose last statement failed this
 * way share a small number of trial statements, and their other statements are rejected at once. The first response clears the tenant. On
 * a single server this affects only a tenant whose last statement timed out, until its next one.
 */

const maxTrials = 2;
/** Tenants beyond this number are treated as reachable, which is correct but uses connections. */
const maxAwayTenants = 10_000;

export class AwayTenants {
  readonly #tenants = new Set<string>();
  #trials = 0;

  has(tenant: string): boolean {
    return this.#tenants.has(tenant);
  }

  /** Whether the new statement is a trial, which `end` must end. Throws if the maximum number of trials is in progress. */
  begin(tenant: string): boolean {
    if (!this.#tenants.has(tenant)) return false;
    if (this.#trials >= maxTrials) throw nodeAway();
    this.#trials += 1;
    return true;
  }

  end(isTrial: boolean): void {
    if (isTrial) this.#trials -= 1;
  }

  /** The tenant's node responded, even if it rejected the statement. */
  answered(tenant: string): void {
    this.#tenants.delete(tenant);
  }

  failed(tenant: string, error: unknown): void {
    if (isNodeAway(error) || isStatementTimeout(error)) this.suspect(tenant);
    else if (storeFailure(error) === undefined) this.answered(tenant);
  }

  /** Call when the tenant's node has not responded for seconds. */
  suspect(tenant: string): void {
    if (tenant !== "" && this.#tenants.size < maxAwayTenants) this.#tenants.add(tenant);
  }
}

/** The same error as from the coordinator, whose connection is still usable. */
const nodeAway = (): Error =>
  Object.assign(failed("08006", "The node that has this tenant's rows does not answer."), {
    severity: "ERROR",
  });
