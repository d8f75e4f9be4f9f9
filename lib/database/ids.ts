import { typeidUnboxed } from "typeid-js";

type Prefix =
  | "user"
  | "key"
  | "sess"
  | "aud"
  | "tok"
  | "req"
  | "pvw"
  | "cust"
  | "imp"
  | "fam"
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

/** A TypeID: sortable by time, made here so that a retried write is recognised. */
export function newId(prefix: Prefix): string {
  return typeidUnboxed(prefix);
}
