// Next's changes to the process, made once before the rest of Next is loaded.
import "next/dist/server/node-environment-baseline.js";
import { renewProcess } from "./process-renewal";

/** The first setup file: the later ones and the test file are loaded in a renewed process. */
await renewProcess();
