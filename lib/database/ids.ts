import { randomBytes } from "node:crypto";
import { fromUUIDBytes, typeidUnboxed } from "typeid-js";

type Prefix =
  | "user"
  | "ask"
  | "key"
  | "sess"
  | "aud"
  | "tok"
  | "req"
  | "pvw"
  | "cust"
  | "imp"
  | "fam"
  | "fac"
  | "chal"
  | "conn"
  | "iden"
  | "prv"
  | "grp"
  | "anon"
  | "act"
  | "sig"
  | "mgmt"
  | "wh"
  | "ast"
  | "evt"
  | "rel"
  | "shr"
  | "hof"
  | "cmt"
  | "alr"
  | "mark"
  | "view";

/** A TypeID: sortable by time, generated here so that a retried write can be detected. */
export function newId(prefix: Prefix): string {
  return typeidUnboxed(prefix);
}

/** An id as of a past time in milliseconds since the epoch: for rows of the past, which are sorted by id. */
export function newIdAt(prefix: Prefix, at: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at, 0, 6);
  // The version and the variant of a time-based UUID.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return fromUUIDBytes(prefix, bytes);
}
