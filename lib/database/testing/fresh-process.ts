import { renewProcess } from "./process-renewal";

/** The first of the setup files: what stands below it, and the test file, are loaded by a process as good as new. */
await renewProcess();
