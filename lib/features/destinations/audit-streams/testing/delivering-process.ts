import { streamDestinations } from "@/lib/features/destinations/audit-streams/deliver";
import { startDelivering } from "@/lib/features/events/delivery/engine";

// A process that delivers to audit streams until it is killed.
startDelivering([streamDestinations]);
setInterval(() => undefined, 60_000);
process.stdout.write("delivering\n");
