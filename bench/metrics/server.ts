import { once } from "node:events";
import { closeStore, openStore } from "@/lib/database/open";
import { startRecording, stopRecording } from "@/lib/features/metrics/recording";
import { builtRoutes } from "@/lib/server/routes";
import { startServer } from "@/lib/server/serve";

/** The API without pages, which counts calls only if asked to, so that the cost of counting can be measured. */
const isRecording = process.argv.includes("--record");
await openStore();
const routes = await builtRoutes();
if (isRecording) startRecording();
const server = await startServer({ port: 0, routes });
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await server.close();
await stopRecording();
await closeStore();
