import { errors, jwtVerify, SignJWT } from "jose";
import { newId } from "@/lib/database/ids";
import { publicUrl } from "@/lib/protocol/public-url";
import { managementBearerSeconds } from "./lifetimes";
import { deriveKey } from "./secret-key";
import { isCompactToken } from "./secrets";

const audience = "management";
const type = "JWT";

const signingKey = () => deriveKey("management-bearer");

/** A short-lived token of a session: it ends with the session, whatever its own end says. */
export async function issueManagementBearer(principal: {
  tenantId: string;
  userId: string;
  credentialId: string;
}) {
  const accessToken = await new SignJWT({ tid: principal.tenantId, ses: principal.credentialId })
    .setProtectedHeader({ alg: "HS256", typ: type })
    .setIssuer(publicUrl())
    .setAudience(audience)
    .setSubject(principal.userId)
    .setIssuedAt()
    .setExpirationTime(`${managementBearerSeconds}s`)
    .setJti(newId("tok"))
    .sign(signingKey());
  return { accessToken, tokenType: "Bearer" as const, expiresIn: managementBearerSeconds };
}

/** The session that the token stands for; undefined when it is not ours or of another tenant. An expired one is told with its end. */
export async function readManagementBearer(
  token: string,
  tenantId: string,
): Promise<{ sessionRef: string; expiresAt: Date } | undefined> {
  if (!isCompactToken(token, 3)) return undefined;
  try {
    const { payload } = await jwtVerify(token, signingKey(), {
      algorithms: ["HS256"],
      typ: type,
      issuer: publicUrl(),
      audience,
    });
    return claimsOf(payload, tenantId);
  } catch (error) {
    return error instanceof errors.JWTExpired ? claimsOf(error.payload, tenantId) : undefined;
  }
}

function claimsOf(payload: { [claim: string]: unknown; exp?: number }, tenantId: string) {
  if (payload.tid !== tenantId || typeof payload.ses !== "string" || payload.exp === undefined)
    return undefined;
  return { sessionRef: payload.ses, expiresAt: new Date(payload.exp * 1000) };
}
