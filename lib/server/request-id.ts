import { randomFillSync } from "node:crypto";

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;
const pool = Buffer.alloc(4096);
let used = pool.length;

/** 22 characters that no other request has. The pool saves one system call per request. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString("base64url", used, used + 16);
  used += 16;
  return id;
}

/** The caller's own id where it can be used, else a new one. */
export function requestIdOf(sent: unknown): string {
  return typeof sent === "string" && acceptable.test(sent) ? sent : newRequestId();
}
