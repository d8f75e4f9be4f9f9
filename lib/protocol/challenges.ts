import type { Credential } from "./endpoint";

const schemes: Record<Credential, string> = {
  session: "Session",
  apiKey: "ApiKey",
  bearer: "Bearer",
  anonymous: "Bearer",
  customer: "Bearer",
  share: "PreviewShare",
};

type Scheme = "Session" | "ApiKey" | "Bearer" | "PreviewShare";

const challengeText = (scheme: string, error?: "invalid_token") =>
  `${scheme} realm="gatehouse"${error === undefined ? "" : `, error="${error}"`}`;

/** The header WWW-Authenticate (RFC 9110, 11.6.1) for one scheme; `error` is of RFC 6750, 3.1. */
export const challenge = (scheme: Scheme, error?: "invalid_token") => ({
  "WWW-Authenticate": challengeText(scheme, error),
});

/** For a session, or a bearer of one, whose proof of identity is too old (RFC 9470, 3). */
export const stepUpChallenge = (kind: "session" | "bearer", maxAgeSeconds: number) => ({
  "WWW-Authenticate": `${schemes[kind]} realm="gatehouse", error="insufficient_user_authentication", max_age="${maxAgeSeconds}"`,
});

/** WWW-Authenticate: the schemes that an operation takes, each once. */
export function challengeFor(credentials: readonly Credential[]): string {
  return [...new Set(credentials.map((kind) => challengeText(schemes[kind])))].join(", ");
}

/** For a credential past its end: a token or session is renewed, a key is not. */
export function expiredChallenge(kind: Credential): string {
  return challengeText(schemes[kind], kind === "apiKey" ? undefined : "invalid_token");
}

const ownScheme = /^bearer(?:[ \t]+|$)/i;
/** Another scheme: its name and what belongs to it, or only its name. */
const otherScheme = /[ \t]|^[a-z][a-z-]{0,31}$/i;

/**
 * The token in Authorization: after `Bearer`, or bare. Another scheme is not ours: a proxy that asks for a password of its
 * own passes `Basic` on with every request, and it must not stand in the way of a key, a session or the cookie.
 */
export function bearerOf(headers: Pick<Headers, "get">): string | undefined {
  const given = headers.get("authorization")?.trim();
  if (!given) return undefined;
  if (ownScheme.test(given)) return given.replace(ownScheme, "");
  return otherScheme.test(given) ? undefined : given;
}
