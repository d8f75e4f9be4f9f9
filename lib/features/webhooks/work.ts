import type { Lease } from "./lease-rows";

/** What the delivery to one endpoint needs of the engine. */
export interface Work {
  lease: Lease;
  isStopping: () => boolean;
  /** Where the feed of the tenant ended when it was last read. */
  end: () => Place | undefined;
  /** Waits a while for events after the place; false when none came. */
  linger: (place: Place) => Promise<boolean>;
}

export interface Place {
  auditSeq: number;
  eventSeq: number;
}

export const isBefore = (a: Place, b: Place): boolean =>
  a.auditSeq < b.auditSeq || (a.auditSeq === b.auditSeq && a.eventSeq < b.eventSeq);
