// Plain JavaScript, because Node loads a thread's file as it is, from the sources and from either build.
import { pbkdf2Sync, scryptSync, timingSafeEqual } from "node:crypto";
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { verifySync as verifyBcrypt } from "@node-rs/bcrypt";

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

// On Linux this sets the priority of the thread only: the event loop and the store have precedence over a sign-in, which waits anyway.
if (process.platform === "linux")
  setPriority(Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL));

const maxScryptBytes = 80 * 1024 * 1024;

/** One function for each kind of `Verification`. */
const verify = {
  argon2: ({ stored }, password) => verifySync(stored, password),
  bcrypt: ({ stored }, password) => verifyBcrypt(password, stored),
  scrypt: ({ cost: N, blockSize: r, parallelism: p, salt, hash }, password) =>
    timingSafeEqual(
      scryptSync(password, salt, hash.length, { N, r, p, maxmem: maxScryptBytes }),
      hash,
    ),
  pbkdf2: ({ digest, iterations, salt, hash }, password) =>
    timingSafeEqual(pbkdf2Sync(password, salt, iterations, hash.length, digest), hash),
};

parentPort?.on("message", ({ password, cost, verification }) => {
  try {
    const value =
      verification === undefined
        ? hashSync(password, cost)
        : verify[verification.kind](verification, password);
    parentPort?.postMessage({ value });
  } catch (error) {
    // Parameters that a library rejects do not end the thread: the password does not match.
    parentPort?.postMessage({ rejection: String(error) });
  }
});
