import type { Dimension } from "./call-labels";
import type { Period } from "./periods";
import type { Group } from "./values";

/** What is asked about the calls of one tenant. Instants are milliseconds since the epoch. */
export interface CallsQuery {
  tenantId: string;
  from: number;
  to: number;
  group: readonly Group[];
  /** A call counts when each of these dimensions has one of the values. */
  filters: Partial<Record<Dimension, readonly string[]>>;
  /** First digits of the status. */
  statusClasses: readonly string[];
  timeZone: string;
  /** Without one the planner takes the first of its ladder that gives a readable chart. */
  period: Period | undefined;
}
