import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { LRUCache } from "lru-cache";
import { urlProblem } from "@/lib/features/events/delivery/target";
import { perProcess } from "@/lib/protocol/per-process";
import { SignInFailure } from "./failure";
import { askProvider } from "./provider-request";

/*
 * A provider's metadata and public keys, fetched when first needed and cached for at most an hour. An unknown key id triggers another
 * fetch, because the provider may have rotated its keys.
 */

export interface ProviderMetadata {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksUri: string;
  userinfoEndpoint: string | undefined;
  /** The URL at which a browser signs out there; undefined if the provider has no usable one. */
  endSessionEndpoint: string | undefined;
  /** Whether the client secret is sent in the body instead of the Authorization header. */
  usesPost: boolean;
  /** Whether the provider sends its `iss` in the redirect (RFC 9207). */
  namesIssuer: boolean;
}

const keptMs = 3_600_000;
const maxProviders = 500;

const known = perProcess("identity-providers", () => ({
  metadata: new LRUCache<string, ProviderMetadata>({ max: maxProviders, ttl: keptMs }),
  keys: new LRUCache<string, JWTVerifyGetKey>({ max: maxProviders, ttl: keptMs }),
}));

/** Clears the caches, as in a new process. For tests only. */
export function forgetProviders(): void {
  known().metadata.clear();
  known().keys.clear();
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function askFor(what: string, url: string): Promise<Record<string, unknown>> {
  const answered = await askProvider({ url }).catch((error: unknown) => {
    throw new SignInFailure("unreachable", what, error);
  });
  if (answered.status !== 200 || !isObject(answered.body))
    throw new SignInFailure("unreachable", `${what} (HTTP ${answered.status})`);
  return answered.body;
}

const isUsable = (url: unknown): url is string =>
  typeof url === "string" && urlProblem(url) === undefined;

/** An endpoint of the provider, for our requests or for redirects of the browser. */
function endpointOf(found: Record<string, unknown>, name: string): string {
  const url = found[name];
  if (!isUsable(url)) throw new SignInFailure("metadata-invalid", name);
  return url;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

async function discover(issuer: string): Promise<ProviderMetadata> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const found = await askFor("/.well-known/openid-configuration", url);
  if (found.issuer !== issuer) throw new SignInFailure("metadata-invalid", "issuer");
  const methods = listOf(found.token_endpoint_auth_methods_supported);
  const supportsBasic = methods.length === 0 || methods.includes("client_secret_basic");
  const hasUserinfo = found.userinfo_endpoint !== undefined;
  return {
    issuer,
    authorizationEndpoint: endpointOf(found, "authorization_endpoint"),
    tokenEndpoint: endpointOf(found, "token_endpoint"),
    jwksUri: endpointOf(found, "jwks_uri"),
    userinfoEndpoint: hasUserinfo ? endpointOf(found, "userinfo_endpoint") : undefined,
    endSessionEndpoint: isUsable(found.end_session_endpoint)
      ? found.end_session_endpoint
      : undefined,
    usesPost: !supportsBasic && methods.includes("client_secret_post"),
    namesIssuer: found.authorization_response_iss_parameter_supported === true,
  };
}

/** Called before a request to the provider; throws to prevent it. */
type BeforeAsking = () => Promise<unknown>;
const always: BeforeAsking = async () => undefined;

/** The provider's metadata. Throws SignInFailure. */
export async function getMetadata(
  issuer: string,
  beforeAsking = always,
): Promise<ProviderMetadata> {
  const kept = known().metadata.get(issuer);
  if (kept) return kept;
  await beforeAsking();
  const found = await discover(issuer);
  known().metadata.set(issuer, found);
  return found;
}

const maxKeys = 100;

async function askForKeys(jwksUri: string): Promise<JWTVerifyGetKey> {
  const { keys } = await askFor("jwks_uri", jwksUri);
  const usable = listOf(keys).filter(isObject).slice(0, maxKeys);
  const set = { keys: usable } as unknown as JSONWebKeySet;
  const found = createLocalJWKSet(set);
  known().keys.set(jwksUri, found);
  return found;
}

const isUnknownKey = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_JWKS_NO_MATCHING_KEY";

/** Finds the provider's key for a token. Throws SignInFailure if its keys cannot be read. */
export const keyFinder =
  (jwksUri: string, beforeAsking = always): JWTVerifyGetKey =>
  async (header, token) => {
    const ask = async () => {
      await beforeAsking();
      return askForKeys(jwksUri);
    };
    const kept = known().keys.get(jwksUri) ?? (await ask());
    try {
      return await kept(header, token);
    } catch (error) {
      if (!isUnknownKey(error)) throw error;
      return (await ask())(header, token);
    }
  };
