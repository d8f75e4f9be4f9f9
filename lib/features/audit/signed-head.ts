import { canonical } from "./chain";

/** A signed statement: at this time the tenant's chain had this entry at its end. All binary values are lower-case hex but the signature, which is base64url. */
export interface SignedHead {
  tenant: string;
  seq: number;
  hash: string;
  /** Empty for an entry from before there were MACs. */
  mac: string;
  at: string;
  kid: string;
  signature: string;
}

/** What the Ed25519 signature of a head covers. */
export function headText({
  tenant,
  seq,
  hash,
  mac,
  at,
  kid,
}: Omit<SignedHead, "signature">): string {
  return canonical({ type: "gatehouse-audit-head", tenant, seq, hash, mac, at, kid });
}
