import { tenantsWithStreams } from "@/lib/database/global";
import { retryDelayMs } from "@/lib/features/delivery/back-off";
import type { Family } from "@/lib/features/delivery/family";
import { streamLeases } from "./lease-rows";
import { deliverEntries } from "./worker";

export const streamFamily: Family = {
  tenants: tenantsWithStreams,
  leases: streamLeases,
  // What customers did stands in no trail.
  endOf: ({ auditSeq }) => ({ auditSeq, eventSeq: 0 }),
  waitsAfter: 0,
  interruptedMs: retryDelayMs,
  deliver: deliverEntries,
};
