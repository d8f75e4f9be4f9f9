import { compactVerify } from "jose";
import { publicUrl } from "@/lib/protocol/settings";
import { managementBearerSeconds } from "./lifetimes";
import { deriveKeys } from "./secret-key";
import { isCompactToken } from "./secrets";
import { readOnceSigned, readSigned, signToken } from "./signed-tokens";

const type = "management+jwt";

/** The claims of a verified bearer. The caller checks whether its session is still valid. */
interface ManagementBearer {
  tenantId: string;
  sessionRef: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Issues a short-lived token of a session, which ends with the session even before it expires itself. */
export async function issueManagementBearer(principal: {
  tenantId: string;
  userId: string;
  credentialId: string;
}) {
  const claims = { tid: principal.tenantId, ses: principal.credentialId };
  const token = { type, subject: principal.userId, claims };
  const accessToken = await signToken("management", token, managementBearerSeconds);
  return { accessToken, tokenType: "Bearer" as const, expiresIn: managementBearerSeconds };
}

/** The session of the token, even if the token has expired; undefined for a foreign token or one of another tenant. */
export async function readManagementBearer(
  token: string,
  tenantId: string,
): Promise<ManagementBearer | undefined> {
  const bearer = (await readOnceSigned("management", token, verify)) ?? (await readFormer(token));
  return bearer?.tenantId === tenantId ? bearer : undefined;
}

async function verify(token: string): Promise<(ManagementBearer & { kid: string }) | undefined> {
  const { claims, expiresAt, kid } = (await readSigned("management", [type], token)) ?? {};
  if (claims === undefined || expiresAt === undefined || kid === undefined) return undefined;
  const bearer = bearerOf(claims, expiresAt);
  return bearer && { ...bearer, kid };
}

function bearerOf(claims: Record<string, unknown>, expiresAt: number) {
  const { tid: tenantId, ses: sessionRef } = claims;
  if (typeof tenantId !== "string" || typeof sessionRef !== "string") return undefined;
  return { tenantId, sessionRef, expiresAt };
}

/** The only header of the releases that signed bearers by a secret; they used no other algorithm, type or field. */
const formerHeader = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");

/**
 * Reads a bearer that the previous release signed. It works until it expires, at most 15 minutes, so that no caller is rejected
 * while processes of both releases run. Its key signs nothing else and is never published.
 */
async function readFormer(token: string): Promise<ManagementBearer | undefined> {
  if (!token.startsWith(`${formerHeader}.`) || !isCompactToken(token, 3)) return undefined;
  for (const key of deriveKeys("management-bearer")) {
    const verified = await compactVerify(token, key, { algorithms: ["HS256"] }).catch(
      () => undefined,
    );
    if (verified === undefined) continue;
    const claims: Record<string, unknown> = JSON.parse(Buffer.from(verified.payload).toString());
    const { iss, aud, iat, exp } = claims;
    const isOurs = iss === publicUrl() && aud === "management";
    if (!isOurs || typeof iat !== "number" || typeof exp !== "number") return undefined;
    return exp - iat > managementBearerSeconds ? undefined : bearerOf(claims, exp * 1000);
  }
  return undefined;
}
