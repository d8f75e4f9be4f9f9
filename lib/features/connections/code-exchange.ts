import { timingSafeEqual } from "node:crypto";
import { errors, type JWTPayload, jwtVerify } from "jose";
import type { z } from "zod";
import { EmailAddress, Label, NewLogin } from "@/lib/protocol/formats";
import { textProblem } from "@/lib/protocol/text";
import { checkBody } from "@/lib/protocol/validation";
import { SignInFailure } from "./failure";
import { keyFinder, type ProviderMetadata } from "./provider-metadata";
import { askProvider } from "./provider-request";
import type { ConnectionRow } from "./rows";

/*
 * The second half of a sign-in at a provider (OpenID Connect Core 1.0, 3.1.3): exchanges the code for tokens and verifies the ID token.
 *
 *   code + PKCE verifier + client secret  --token endpoint-->  ID token  --its keys, issuer, audience, time, nonce-->  claims
 */

/** Only asymmetric algorithms: with symmetric ones anyone with the client secret could sign, and `none` has no signature. */
export const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA"],
];
export const clockToleranceSeconds = 10;
/** The maximum age of an ID token. It limits the effect of a provider with a wrong clock. */
const maxAgeSeconds = 600;

export interface Client {
  metadata: ProviderMetadata;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** The parameters of the redirect, and the values stored when the sign-in started. */
interface Returned {
  params: { code?: string | undefined; state?: string | undefined; iss?: string | undefined };
  checks: {
    state?: string | undefined;
    nonce?: string | undefined;
    code_verifier?: string | undefined;
  };
}

export interface Identified {
  claims: JWTPayload & { sub: string };
  /** For the userinfo endpoint. */
  accessToken: string | undefined;
}

function areSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const [bytes, expected] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** RFC 6749, 2.3.1: client id and secret are form-encoded before they are joined. */
const formEncoded = (text: string) => new URLSearchParams({ text }).toString().slice(5);

/** Throws if the response does not belong to this browser's request, or comes from another provider (RFC 9207). */
function assertAnswer({ metadata }: Client, { params, checks }: Returned): void {
  if (!areSame(params.state, checks.state)) throw new SignInFailure("not-begun");
  const isOther = params.iss !== undefined && params.iss !== metadata.issuer;
  if (isOther || (metadata.namesIssuer && params.iss === undefined))
    throw new SignInFailure("token-invalid", "iss");
  if (!params.code) throw new SignInFailure("code-rejected");
}

function rejectionOf(status: number, error: unknown): SignInFailure {
  if (error === "invalid_client" || error === "unauthorized_client" || status === 401)
    return new SignInFailure("client-rejected");
  if (error === "invalid_grant") return new SignInFailure("code-rejected");
  return new SignInFailure("unreachable", `token_endpoint (HTTP ${status})`);
}

async function exchangeCode(client: Client, { params, checks }: Returned) {
  const { metadata, clientId, clientSecret, redirectUri } = client;
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: params.code ?? "",
    redirect_uri: redirectUri,
    code_verifier: checks.code_verifier ?? "",
    ...(metadata.usesPost && { client_id: clientId, client_secret: clientSecret }),
  });
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`);
  const headers = metadata.usesPost ? {} : { Authorization: `Basic ${basic.toString("base64")}` };
  const asked = { url: metadata.tokenEndpoint, form, headers };
  const { status, body } = await askProvider(asked).catch((error: unknown) => {
    throw new SignInFailure("unreachable", "token_endpoint", error);
  });
  const answer = (body ?? {}) as Record<string, unknown>;
  if (status !== 200) throw rejectionOf(status, answer.error);
  const { id_token: idToken, access_token: accessToken } = answer;
  if (typeof idToken !== "string") throw new SignInFailure("token-invalid", "id_token");
  return { idToken, accessToken: typeof accessToken === "string" ? accessToken : undefined };
}

/** Maps jose's error to the invalid part of the token. */
export function faultOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return new SignInFailure("token-invalid", error.claim, error);
  const isAlgorithm = error instanceof errors.JOSEAlgNotAllowed;
  return new SignInFailure("token-invalid", isAlgorithm ? "alg" : "signature", error);
}

/** A token with several audiences must name this client in `azp` (OpenID Connect Core, 3.1.3.7). */
function assertIssuedToClient({ aud, azp }: JWTPayload, clientId: string): void {
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if ((isForSeveral || azp !== undefined) && azp !== clientId)
    throw new SignInFailure("token-invalid", "azp");
}

const maxSubjectLength = 255;

async function verifyIdToken(
  { metadata, clientId }: Client,
  idToken: string,
  nonce: string | undefined,
): Promise<Identified["claims"]> {
  const { payload } = await jwtVerify(idToken, keyFinder(metadata.jwksUri), {
    ...{ algorithms, issuer: metadata.issuer, audience: clientId },
    ...{ clockTolerance: clockToleranceSeconds, maxTokenAge: maxAgeSeconds },
    requiredClaims: ["sub", "iat", "exp"],
  }).catch((error: unknown) => {
    throw faultOf(error);
  });
  assertIssuedToClient(payload, clientId);
  const { sub } = payload;
  if (typeof payload.nonce !== "string" || !areSame(payload.nonce, nonce))
    throw new SignInFailure("token-invalid", "nonce");
  const isText = typeof sub === "string" && textProblem(sub, "line") === undefined;
  if (!isText || sub === "" || sub.length > maxSubjectLength)
    throw new SignInFailure("token-invalid", "sub");
  return { ...payload, sub };
}

/** Returns the verified claims of the signed-in user. Throws SignInFailure for any deviation from the protocol. */
export async function identify(client: Client, returned: Returned): Promise<Identified> {
  assertAnswer(client, returned);
  const { idToken, accessToken } = await exchangeCode(client, returned);
  return { claims: await verifyIdToken(client, idToken, returned.checks.nonce), accessToken };
}

/** The claims of the userinfo endpoint, whose `sub` must match; empty if there is no such endpoint. */
export async function askForClaims(
  { metadata: { userinfoEndpoint } }: Client,
  { claims: { sub }, accessToken }: Identified,
): Promise<Record<string, unknown>> {
  if (userinfoEndpoint === undefined || accessToken === undefined) return {};
  const headers = { Authorization: `Bearer ${accessToken}` };
  const answered = await askProvider({ url: userinfoEndpoint, headers }).catch((error: unknown) => {
    throw new SignInFailure("unreachable", "userinfo_endpoint", error);
  });
  const found = (answered.body ?? {}) as Record<string, unknown>;
  if (answered.status !== 200)
    throw new SignInFailure("unreachable", `userinfo_endpoint (HTTP ${answered.status})`);
  if (found.sub !== sub) throw new SignInFailure("token-invalid", "sub");
  return found;
}

export interface DescribedPerson {
  login: string;
  emailAddress: string;
  name: string;
}

export type Claims = Readonly<Record<string, unknown>>;

const verifiedClaim = "email_verified";

/** The claims of the ID token, and those of the userinfo endpoint if the token lacks one that the connection needs. */
export async function claimsOf(
  { loginClaim, emailClaim, nameClaim, domains }: ConnectionRow,
  client: Client,
  identified: Identified,
): Promise<Claims> {
  const { claims } = identified;
  const needed = [
    loginClaim,
    emailClaim,
    nameClaim,
    ...(domains.length > 0 ? [verifiedClaim] : []),
  ];
  const isComplete = needed.every((name) => Object.hasOwn(claims, name));
  return isComplete ? claims : { ...(await askForClaims(client, identified)), ...claims };
}

function claimAs<Text>(schema: z.ZodType<Text>, claims: Claims, name: string): Text {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (value === undefined || value === null || value === "")
    throw new SignInFailure("claim-missing", name);
  const checked = checkBody(schema, value);
  if (checked.problems) throw new SignInFailure("claim-invalid", name);
  return checked.value;
}

/**
 * An address that the provider did not verify is no proof of its domain. Some providers send the claim as text; those that omit it do not
 * let users choose their address.
 */
function assertDomain(domains: readonly string[], emailAddress: string, claims: Claims): void {
  if (domains.length === 0) return;
  const domain = emailAddress.slice(emailAddress.lastIndexOf("@") + 1).toLowerCase();
  if (!domains.includes(domain)) throw new SignInFailure("domain-not-allowed", domain);
  const isVerified = Object.hasOwn(claims, verifiedClaim) ? claims[verifiedClaim] : true;
  if (isVerified !== true && isVerified !== "true")
    throw new SignInFailure("claim-invalid", verifiedClaim);
}

/** The new user as described by the provider's claims. Throws SignInFailure for a claim that is missing or unusable. */
export function describedPerson(connection: ConnectionRow, claims: Claims): DescribedPerson {
  const login = claimAs(NewLogin, claims, connection.loginClaim);
  const emailAddress = claimAs(EmailAddress, claims, connection.emailClaim);
  const name = claimAs(Label, claims, connection.nameClaim);
  assertDomain(connection.domains, emailAddress, claims);
  return { login, emailAddress, name };
}
