/** A position in what happened in a tenant: the number of an audit entry, and that of an event about a customer after it. */
export interface Place {
  auditSeq: number;
  eventSeq: number;
}

export const isBefore = (a: Place, b: Place): boolean =>
  a.auditSeq < b.auditSeq || (a.auditSeq === b.auditSeq && a.eventSeq < b.eventSeq);

/** What the delivery to one destination needs of the engine. */
export interface Work<Lease = DestinationLease> {
  lease: Lease;
  isStopping: () => boolean;
  /** Where the tenant's facts ended when that was last read. */
  end: () => Place | undefined;
  /** Waits a while for facts after the place; false when none came. */
  linger: (place: Place) => Promise<boolean>;
}

/** The lease of one process on one destination. */
export interface DestinationLease {
  tenantId: string;
  destinationId: string;
  holder: string;
}
