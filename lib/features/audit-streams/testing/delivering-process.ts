import { streamFamily } from "@/lib/features/audit-streams/family";
import { startDelivering } from "@/lib/features/delivery/engine";

// A process that delivers to audit streams until it is killed.
startDelivering([streamFamily]);
setInterval(() => undefined, 60_000);
process.stdout.write("delivering\n");
