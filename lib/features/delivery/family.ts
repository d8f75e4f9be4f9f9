import type { leasesOn } from "./lease-rows";
import type { Place, Work } from "./work";

/** One kind of destination that the engine delivers to: webhooks, or audit streams. */
export interface Family {
  /** The next tenants with enabled destinations in order of their ids, and when to look at each. */
  tenants: (
    after: string,
  ) => Promise<readonly { tenantId: string; dueAt: Date | null; isLeased: boolean }[]>;
  leases: ReturnType<typeof leasesOn>;
  /** What such a destination sees of the end of the tenant's facts. */
  endOf: (end: Place) => Place;
  /** After this number of consecutive failures a destination waits until its next attempt. */
  waitsAfter: number;
  /** Milliseconds until a destination is tried again after this many interruptions in a row. */
  interruptedMs: (times: number) => number;
  /** Delivers to one destination whose lease this process holds, until nothing is left. Throws where what came of it cannot be recorded. */
  deliver: (work: Work) => Promise<void>;
}
