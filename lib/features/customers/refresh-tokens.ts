import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKey } from "@/lib/access/secret-key";
import { sha256 } from "@/lib/access/secrets";

interface RefreshToken {
  familyRef: string;
  generation: number;
  proof: string;
  hash: Buffer;
}

interface Family {
  familyRef: string;
  nonce: Buffer;
}

const pattern = /^svr_([0-9a-z]{26})\.(0|[1-9a-z][0-9a-z]{0,5})\.([\w-]{43})$/;

/** Follows from the family and generation alone, so that whoever refreshes twice gets the same answer; without the key it cannot be made. */
const proofOf = ({ familyRef, nonce }: Family, generation: number) =>
  createHmac("sha256", deriveKey("refresh-tokens"))
    .update(`${familyRef} ${generation} `)
    .update(nonce)
    .digest("base64url");

/** The family's refresh token of that generation. */
export function refreshTokenOf(family: Family, generation: number): string {
  return `svr_${family.familyRef.slice("fam_".length)}.${generation.toString(36)}.${proofOf(family, generation)}`;
}

/** The parts of a refresh token; whether it is one of ours is for `isAuthentic` to say. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  const [, ref, generation, proof] = pattern.exec(text) ?? [];
  if (!ref || !generation || !proof) return undefined;
  return {
    familyRef: `fam_${ref}`,
    generation: Number.parseInt(generation, 36),
    proof,
    hash: sha256(text),
  };
}

/** Whether this service made the token: the current one is known by its hash, so that it outlives a change of the key; earlier ones by their proof. */
export function isAuthentic(
  token: RefreshToken,
  family: Family & { generation: number; tokenHash: Buffer },
): boolean {
  if (token.generation === family.generation) return timingSafeEqual(token.hash, family.tokenHash);
  return timingSafeEqual(Buffer.from(token.proof), Buffer.from(proofOf(family, token.generation)));
}
