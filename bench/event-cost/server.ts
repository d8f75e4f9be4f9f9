import { once } from "node:events";
import { closeStore, openStore } from "@/lib/database/open";
import { webhookDestinations } from "@/lib/features/destinations/webhooks/deliver";
import { startDelivering } from "@/lib/features/events/delivery/engine";
import { startRecording, stopRecording } from "@/lib/features/metrics/recording";
import { flushRequests, startLoggingRequests } from "@/lib/features/request-log/note";
import { startTracing, stopTracing } from "@/lib/server/health/otlp";
import { builtRoutes } from "@/lib/server/routes";
import { startServer } from "@/lib/server/serve";

/** The API without pages, which samples requests, traces and delivers events only if asked to, so that the cost of each can be measured. */
const [isSampling, isTracing, isDelivering] = ["--sample", "--trace", "--deliver"].map((flag) =>
  process.argv.includes(flag),
);
await openStore();
const routes = await builtRoutes();
startRecording();
if (isSampling) startLoggingRequests();
if (isTracing) startTracing();
const server = await startServer({ port: 0, routes });
const stopDelivering = isDelivering ? startDelivering([webhookDestinations]) : undefined;
process.stdout.write(`${server.url}\n`);
// Answers each line of input with the microseconds of CPU time that this process has used.
process.stdin.on("data", () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${user + system}\n`);
});
await once(process.stdin, "end");
await server.close();
await stopDelivering?.();
await stopTracing();
await flushRequests();
await stopRecording();
await closeStore();
