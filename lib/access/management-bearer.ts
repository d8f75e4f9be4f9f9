import { managementBearerSeconds } from "./lifetimes";
import { readOnceSigned, readSigned, signToken } from "./signed-tokens";

const type = "management+jwt";

/** What a verified bearer says. Whether its session still is one is for the caller to judge. */
interface ManagementBearer {
  tenantId: string;
  sessionRef: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  kid: string;
}

/** A short-lived token of a session: it ends with the session, whatever its own end says. */
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

/** The session that the token stands for, past the token's end too; undefined when it is not ours or of another tenant. */
export async function readManagementBearer(
  token: string,
  tenantId: string,
): Promise<ManagementBearer | undefined> {
  const bearer = await readOnceSigned("management", token, verify);
  return bearer?.tenantId === tenantId ? bearer : undefined;
}

async function verify(token: string): Promise<ManagementBearer | undefined> {
  const { claims, expiresAt, kid } = (await readSigned("management", [type], token)) ?? {};
  if (claims === undefined || expiresAt === undefined || kid === undefined) return undefined;
  const { tid: tenantId, ses: sessionRef } = claims;
  if (typeof tenantId !== "string" || typeof sessionRef !== "string") return undefined;
  return { tenantId, sessionRef, expiresAt, kid };
}
