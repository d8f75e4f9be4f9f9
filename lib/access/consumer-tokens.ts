import { compactVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { newId } from "@/lib/database/ids";
import { publicUrl } from "@/lib/protocol/public-url";
import { isCompactToken, sha256 } from "./secrets";
import { currentSigningKey, isServed, verificationKey } from "./signing-keys";

const audience = "consumer";
/** The type in the header keeps one kind of token from passing for the other. */
const kindOf = { "at+jwt": "customer", "anonymous+jwt": "anonymous" } as const;
type Type = keyof typeof kindOf;

/** What a verified token says. Whether it has ended is for the caller to judge. */
export interface ConsumerToken {
  kind: (typeof kindOf)[Type];
  tenantId: string;
  siteId: string;
  /** Carried over into the access token of the login that follows. */
  anonymousId: string;
  /** Empty for an anonymous token, as is familyRef. */
  customerId: string;
  familyRef: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  kid: string;
}

interface Shopping {
  tenantId: string;
  siteId: string;
  anonymousId: string;
}

async function sign(
  type: Type,
  subject: string,
  { tenantId, siteId }: Shopping,
  own: Record<string, string>,
  ttlSeconds: number,
) {
  const { kid, privateKey } = await currentSigningKey();
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ tid: tenantId, sid: siteId, ...own })
    .setProtectedHeader({ alg: "ES256", typ: type, kid })
    .setIssuer(publicUrl())
    .setAudience(audience)
    .setSubject(subject)
    .setIssuedAt(now)
    .setExpirationTime(now + ttlSeconds)
    .setJti(newId("tok"))
    .sign(privateKey);
}

/** A token for somebody nobody knows yet. Nothing is stored. */
export function signAnonymousToken(shopping: Shopping, ttlSeconds: number): Promise<string> {
  return sign("anonymous+jwt", shopping.anonymousId, shopping, {}, ttlSeconds);
}

/** The access token (RFC 9068) of a signed-in customer. */
export function signAccessToken(
  { customerId, familyRef, ...shopping }: Shopping & { customerId: string; familyRef: string },
  ttlSeconds: number,
): Promise<string> {
  return sign(
    "at+jwt",
    customerId,
    shopping,
    { fam: familyRef, anon: shopping.anonymousId },
    ttlSeconds,
  );
}

/** Header members that bring keys, addresses of keys or demands of their own are refused with everything else that is not ours. */
function readHeader(part: string): { type: Type; kid: string } | undefined {
  const header: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  if (typeof header !== "object" || header === null) return undefined;
  const { alg, typ, kid, ...others } = header as Record<string, unknown>;
  const isOurs =
    alg === "ES256" &&
    typeof kid === "string" &&
    typeof typ === "string" &&
    Object.keys(others).length === 0;
  return isOurs && Object.hasOwn(kindOf, typ) ? { type: typ as Type, kid } : undefined;
}

function readClaims(
  { type, kid }: { type: Type; kid: string },
  payload: Uint8Array,
): ConsumerToken | undefined {
  const claims: Record<string, unknown> = JSON.parse(
    new TextDecoder("utf-8", { fatal: true }).decode(payload),
  );
  const { iss, aud, sub, tid, sid, fam = "", anon = sub, exp } = claims;
  const texts = [sub, tid, sid, fam, anon];
  if (
    iss !== publicUrl() ||
    aud !== audience ||
    typeof exp !== "number" ||
    !texts.every((text) => typeof text === "string")
  )
    return undefined;
  const [subject, tenantId, siteId, familyRef, anonymousId] = texts as [
    string,
    string,
    string,
    string,
    string,
  ];
  const kind = kindOf[type];
  if ((kind === "customer") !== (familyRef !== "")) return undefined;
  return {
    kind,
    tenantId,
    siteId,
    anonymousId,
    familyRef,
    customerId: kind === "customer" ? subject : "",
    expiresAt: exp * 1000,
    kid,
  };
}

async function verify(token: string): Promise<ConsumerToken | undefined> {
  if (!isCompactToken(token, 3)) return undefined;
  try {
    const header = readHeader(token.slice(0, token.indexOf(".")));
    const key = header && (await verificationKey(header.kid));
    if (!key) return undefined;
    const { payload } = await compactVerify(token, key, { algorithms: ["ES256"] });
    return readClaims(header, payload);
  } catch (error) {
    // A store that is away says nothing about the token; all else does.
    if (
      error instanceof Error &&
      !("code" in error && String(error.code).startsWith("ERR_J")) &&
      !(error instanceof SyntaxError)
    )
      throw error;
    return undefined;
  }
}

function verified(): LRUCache<string, ConsumerToken> {
  const shared = globalThis as { gatehouseConsumerTokens?: LRUCache<string, ConsumerToken> };
  shared.gatehouseConsumerTokens ??= new LRUCache({ max: 20_000 });
  return shared.gatehouseConsumerTokens;
}

/** What the token says when it is one of ours, in any tenant and past its end too; undefined for any other text. */
export async function readConsumerToken(token: string): Promise<ConsumerToken | undefined> {
  if (token.length > 4096) return undefined;
  const key = sha256(token).toString("latin1");
  const known = verified().get(key);
  if (known && isServed(known.kid)) return known;
  const read = await verify(token);
  if (read) verified().set(key, read);
  return read;
}
