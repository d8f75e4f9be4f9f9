import { failed, isNodeAway, isStatementTimeout, storeFailure } from "./failures";

/*
 * On a cluster the rows of a tenant are on one node. While that node is away, or stands still, every statement of its tenants holds a
 * connection until the coordinator gives the node up, and a few such tenants would hold them all. So a tenant whose last statement found
 * its node away is tried by few statements at a time, which all such tenants share; whatever else they ask is rejected at once. The first
 * that is answered ends it. On a single server only a tenant whose last statement took too long comes here, until its next one.
 */

const maxTrials = 2;
/** More than this are treated like the others, which costs connections and is right otherwise. */
const maxTenants = 10_000;

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
    if (tenant !== "" && this.#tenants.size < maxTenants) this.#tenants.add(tenant);
  }
}

/** As the coordinator reports it, whose connection is good. */
const nodeAway = (): Error =>
  Object.assign(failed("08006", "The node that has this tenant's rows does not answer."), {
    severity: "ERROR",
  });
