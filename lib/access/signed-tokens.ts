import { compactVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { newId } from "@/lib/database/ids";
import { perProcess } from "@/lib/protocol/per-process";
import { publicUrl } from "@/lib/protocol/settings";
import { isCompactToken, sha256 } from "./secrets";
import { currentSigningKey, isServed, type Purpose, verificationKey } from "./signing-keys";

/** The content of a verified token. The caller checks whether it has expired. */
export interface SignedClaims<Type extends string> {
  type: Type;
  /** The key that signed it. */
  kid: string;
  claims: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Signs a JWT with the current key of its purpose, which is also its audience. */
export async function signToken(
  purpose: Purpose,
  { type, subject, claims }: { type: string; subject: string; claims: Record<string, string> },
  ttlSeconds: number,
): Promise<string> {
  const { kid, privateKey } = await currentSigningKey(purpose);
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", typ: type, kid })
    .setIssuer(publicUrl())
    .setAudience(purpose)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + ttlSeconds)
    .setJti(newId("tok"))
    .sign(privateKey);
}

/** Rejects any field that our headers do not have, such as keys, addresses of keys or further requirements. */
function readHeader<Type extends string>(
  part: string,
  types: readonly Type[],
): { type: Type; kid: string } | undefined {
  const header: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  if (typeof header !== "object" || header === null) return undefined;
  const { alg, typ, kid, ...others } = header as Record<string, unknown>;
  const type = types.find((one) => one === typ);
  const isOurs = alg === "ES256" && typeof kid === "string" && Object.keys(others).length === 0;
  return isOurs && type !== undefined ? { type, kid } : undefined;
}

async function verify<Type extends string>(
  purpose: Purpose,
  types: readonly Type[],
  token: string,
): Promise<SignedClaims<Type> | undefined> {
  const header = readHeader(token.slice(0, token.indexOf(".")), types);
  const key = header && (await verificationKey(purpose, header.kid));
  if (!key) return undefined;
  const { payload } = await compactVerify(token, key, { algorithms: ["ES256"] });
  const claims: Record<string, unknown> = JSON.parse(
    new TextDecoder("utf-8", { fatal: true }).decode(payload),
  );
  const { iss, aud, exp } = claims;
  if (iss !== publicUrl() || aud !== purpose || typeof exp !== "number") return undefined;
  return { ...header, claims, expiresAt: exp * 1000 };
}

/** The claims of a token of this purpose and of one of these types; undefined for any other text. */
export async function readSigned<Type extends string>(
  purpose: Purpose,
  types: readonly Type[],
  token: string,
): Promise<SignedClaims<Type> | undefined> {
  if (!isCompactToken(token, 3)) return undefined;
  try {
    return await verify(purpose, types, token);
  } catch (error) {
    // An unavailable store does not make the token invalid; any other error does.
    if (
      error instanceof Error &&
      !("code" in error && String(error.code).startsWith("ERR_J")) &&
      !(error instanceof SyntaxError)
    )
      throw error;
    return undefined;
  }
}

type VerifiedTokens = LRUCache<string, { kid: string }>;

/** Tokens that were verified before, by their SHA-256. */
const verified = perProcess(
  "verified-tokens",
  (): Record<Purpose, VerifiedTokens> => ({
    consumer: new LRUCache({ max: 20_000 }),
    management: new LRUCache({ max: 20_000 }),
  }),
);

/** Caches the result of `read` for each token of a purpose while the key that signed it is served. */
export async function readOnceSigned<Token extends { kid: string }>(
  purpose: Purpose,
  token: string,
  read: (token: string) => Promise<Token | undefined>,
): Promise<Token | undefined> {
  if (token.length > 4096) return undefined;
  const key = sha256(token).toString("latin1");
  const known = verified()[purpose].get(key) as Token | undefined;
  if (known && isServed(known.kid)) return known;
  const found = await read(token);
  if (found) verified()[purpose].set(key, found);
  return found;
}
