import { streamDestinations } from "@/lib/features/audit-streams/deliver";
import { startDelivering } from "@/lib/features/delivery/engine";

// A process that delivers to audit streams until it is killed.
startDelivering([streamDestinations]);
setInterval(() => undefined, 60_000);
process.stdout.write("delivering\n");
