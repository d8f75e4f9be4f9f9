import type { Credential } from "./endpoint";

const schemes: Record<Credential, string> = {
  session: "Session",
  apiKey: "ApiKey",
  bearer: "Bearer",
  anonymous: "Bearer",
  customer: "Bearer",
};

/** WWW-Authenticate: the schemes that an operation takes, each once. */
export function challengeFor(credentials: readonly Credential[]): string {
  const names = new Set(credentials.map((kind) => schemes[kind]));
  return [...names].map((name) => `${name} realm="gatehouse"`).join(", ");
}

/** For a credential past its end: a token or session is renewed, a key is not. */
export function expiredChallenge(kind: Credential): string {
  return `${challengeFor([kind])}${kind === "apiKey" ? "" : ', error="invalid_token"'}`;
}
