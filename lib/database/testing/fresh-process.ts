// What Next puts into the process before anything else of it is loaded, which happens once.
import "next/dist/server/node-environment-baseline.js";
import { renewProcess } from "./process-renewal";

/** The first of the setup files: what stands below it, and the test file, are loaded by a process as good as new. */
await renewProcess();
