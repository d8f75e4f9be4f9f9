import { once } from "node:events";
import { closeStore, openStore } from "@/lib/database/open";
import { startRecording, stopRecording } from "@/lib/features/metrics/recording";
import { builtRoutes } from "@/lib/server/routes";
import { startDoor } from "@/lib/server/serve";

/** The interface without pages, that counts its calls only when told to: to measure what counting costs. */
const isRecording = process.argv.includes("--record");
await openStore();
const routes = await builtRoutes();
if (isRecording) startRecording();
const door = await startDoor({ port: 0, routes });
process.stdout.write(`${door.url}\n`);
process.stdin.resume();
await once(process.stdin, "end");
await door.close();
await stopRecording();
await closeStore();
