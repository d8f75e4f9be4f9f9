import { createHmac, timingSafeEqual } from "node:crypto";
import { deriveKeys } from "@/lib/access/secret-key";
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

/** Derived from family and generation, so that a repeated refresh gets the same token; forging one needs the key. */
const proofsOf = ({ familyRef, nonce }: Family, generation: number): string[] =>
  deriveKeys("refresh-tokens").map((key) =>
    createHmac("sha256", key)
      .update(`${familyRef} ${generation} `)
      .update(nonce)
      .digest("base64url"),
  );

interface Stored extends Family {
  generation?: number;
  tokenHash?: Buffer;
}

/** The family's refresh token of that generation. The stored hash finds a token created before SECRET_KEY was rotated. */
export function refreshTokenOf(family: Stored, generation: number): string {
  const tokens = proofsOf(family, generation).map(
    (proof) => `svr_${family.familyRef.slice("fam_".length)}.${generation.toString(36)}.${proof}`,
  );
  const { tokenHash } = generation === family.generation ? family : {};
  const stored = tokens.find((token) => tokenHash && sha256(token).equals(tokenHash));
  return stored ?? tokens[0] ?? "";
}

/** The parts of a refresh token, not yet authenticated: see `isAuthentic`. */
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

/** Whether this service issued the token: the current one is compared by its hash, so that it survives a rotation of SECRET_KEY, earlier ones by their proof. */
export function isAuthentic(
  token: RefreshToken,
  family: Family & { generation: number; tokenHash: Buffer },
): boolean {
  if (token.generation === family.generation) return timingSafeEqual(token.hash, family.tokenHash);
  const given = Buffer.from(token.proof);
  return proofsOf(family, token.generation).some((proof) =>
    timingSafeEqual(given, Buffer.from(proof)),
  );
}
