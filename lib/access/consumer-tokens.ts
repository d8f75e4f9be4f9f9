import { isCredentialCached } from "./access-versions";
import { findPresentedCredential } from "./authenticate";
import { readManagementBearer } from "./management-bearer";
import { portalSessions } from "./portal-cookie";
import { sha256 } from "./secrets";
import { readOnceSigned, readSigned, type SignedClaims, signToken } from "./signed-tokens";

/** The type in the header distinguishes the two kinds of token, so neither is accepted as the other. */
const kindOf = { "at+jwt": "customer", "anonymous+jwt": "anonymous" } as const;
type Type = keyof typeof kindOf;
const types = Object.keys(kindOf) as Type[];

/** The claims of a verified token. The caller checks whether it has expired. */
export interface ConsumerToken {
  kind: (typeof kindOf)[Type];
  tenantId: string;
  siteId: string;
  /** Copied to the access token of the sign-in that follows. */
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

const claimsOf = ({ tenantId, siteId }: Shopping) => ({ tid: tenantId, sid: siteId });

/** A token for a visitor who has not signed in. Nothing is stored. */
export function signAnonymousToken(shopping: Shopping, ttlSeconds: number): Promise<string> {
  const [type, subject, claims] = ["anonymous+jwt", shopping.anonymousId, claimsOf(shopping)];
  return signToken("consumer", { type, subject, claims }, ttlSeconds);
}

/** The access token (RFC 9068) of a signed-in customer. */
export function signAccessToken(
  { customerId, familyRef, ...shopping }: Shopping & { customerId: string; familyRef: string },
  ttlSeconds: number,
): Promise<string> {
  const claims = { ...claimsOf(shopping), fam: familyRef, anon: shopping.anonymousId };
  return signToken("consumer", { type: "at+jwt", subject: customerId, claims }, ttlSeconds);
}

function readClaims({
  type,
  kid,
  claims,
  expiresAt,
}: SignedClaims<Type>): ConsumerToken | undefined {
  const { sub, tid, sid, fam = "", anon = sub } = claims;
  const texts = [sub, tid, sid, fam, anon];
  if (!texts.every((text) => typeof text === "string")) return undefined;
  const [subject, tenantId, siteId, familyRef, anonymousId] = texts as [
    string,
    string,
    string,
    string,
    string,
  ];
  const kind = kindOf[type];
  if ((kind === "customer") !== (familyRef !== "")) return undefined;
  const customerId = kind === "customer" ? subject : "";
  return { kind, tenantId, siteId, anonymousId, familyRef, customerId, expiresAt, kid };
}

async function verify(token: string): Promise<ConsumerToken | undefined> {
  const signed = await readSigned("consumer", types, token);
  return signed && readClaims(signed);
}

/** The claims of one of our tokens, of any tenant and even if expired; undefined for any other text. */
export function readConsumerToken(token: string): Promise<ConsumerToken | undefined> {
  return readOnceSigned("consumer", token, verify);
}

type HeaderReader = Pick<Headers, "get">;

/**
 * Whether a request has a credential that this process knows to be real without reading the store: an unexpired token
 * of a signed-in user or customer with a valid signature, or a session or API key that it looked up before. Whether the
 * credential may still be used is decided later. An anonymous token proves nothing: anybody can get one.
 */
export async function hasKnownCredential(headers: HeaderReader): Promise<boolean> {
  const tenantId = headers.get("x-service-tenant")?.trim() ?? "";
  const presented = await findPresentedCredential(headers, tenantId).catch(() => undefined);
  if (!presented) return false;
  const { kind, value } = presented;
  if (kind !== "bearer") return isCredentialCached(kind, tenantId, sha256(value));
  const token = await readConsumerToken(value);
  if (token) return token.kind === "customer" && token.expiresAt > Date.now();
  const bearer = await readManagementBearer(value, tenantId);
  return bearer !== undefined && bearer.expiresAt > Date.now();
}

/** Whether a browser has signed in: this process has looked up a session of its sealed cookie. */
export async function isSignedInBrowser(cookieHeader: string | undefined): Promise<boolean> {
  if (cookieHeader === undefined) return false;
  const sessions = await portalSessions(cookieHeader);
  return [...sessions].some(([tenantId, sessionId]) =>
    isCredentialCached("session", tenantId, sha256(sessionId)),
  );
}
