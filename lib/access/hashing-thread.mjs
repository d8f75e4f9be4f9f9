// Plain JavaScript: a thread begins with a file that Node reads as it is, from the sources and from either build.
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

// On Linux this is the thread's own priority: the event loop and the store go first, whoever signs in waits anyway.
if (process.platform === "linux")
  setPriority(Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL));

parentPort?.on("message", ({ password, cost, stored }) => {
  parentPort?.postMessage(
    stored === undefined ? hashSync(password, cost) : verifySync(stored, password),
  );
});
