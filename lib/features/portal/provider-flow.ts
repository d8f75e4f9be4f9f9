import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth, { type NextAuthOptions } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { type Client, type Identified, identify } from "@/lib/features/connections/code-exchange";
import { type ConnectionRow, providerIdOf } from "@/lib/features/connections/rows";
import { log } from "@/lib/protocol/log";
import { cookiesOf, isCookieSecure, withSession } from "./cookies";
import { authOptions } from "./portal";

/*
 * next-auth with one provider, created for each request from a connection of a tenant: a new connection works without a restart. It
 * creates state, nonce and the PKCE verifier, stores them in cookies of the browser and compares them on the callback. HTTP requests to
 * the provider use this service's client, which enforces address rules that next-auth's client does not have.
 */

/** The response that next-auth writes to a Node server's response. */
export interface NextAuthAnswer {
  /** The redirect target. */
  location: string | undefined;
  cookies: string[];
}

interface Asked {
  action: "signin" | "callback";
  method: "GET" | "POST";
  query: Record<string, string>;
  body: Record<string, string>;
  headers: Headers;
}

const isSent = (value: unknown): value is { url: string } =>
  typeof value === "object" && value !== null && "url" in value && typeof value.url === "string";

/** Runs a request through next-auth, without the context of Next. */
export async function askNextAuth(
  { action, method, query, body, headers }: Asked,
  providerId: string,
  options: NextAuthOptions,
): Promise<NextAuthAnswer> {
  const sent = new Map<string, unknown>();
  let answered: unknown;
  const response = {
    status: () => response,
    setHeader: (name: string, value: unknown) => {
      sent.set(name.toLowerCase(), value);
      return response;
    },
    getHeader: (name: string) => sent.get(name.toLowerCase()),
    end: () => response,
    json: (value: unknown) => {
      answered = value;
    },
    send: () => response,
  };
  const request = {
    ...{ method, body, headers: Object.fromEntries(headers), cookies: cookiesOf(headers) },
    query: { ...query, nextauth: [action, providerId] },
  };
  await NextAuth(
    request as unknown as NextApiRequest,
    response as unknown as NextApiResponse,
    options,
  );
  const location = isSent(answered) ? answered.url : sent.get("location");
  const cookies = sent.get("set-cookie");
  return {
    location: typeof location === "string" ? location : undefined,
    cookies: Array.isArray(cookies) ? cookies.map(String) : [],
  };
}

interface ProviderOptions {
  connection: ConnectionRow;
  client: Client;
  /** The headers of the request. */
  headers: Headers;
  /** Parameters forwarded to the provider. */
  params?: Record<string, string>;
  /** Receives the identity; the session that it returns is put into the portal's cookie. Never throws. */
  onIdentified: (
    identified: Identified,
  ) => Promise<{ tenant: string; sessionId: string } | undefined>;
  /** Receives the error of the exchange, because next-auth only reports that there was one. */
  onError: (error: unknown) => void;
}

function providerOf(
  { connection, client, params, onError }: ProviderOptions,
  keep: (identified: Identified) => void,
): OAuthConfig<Identified["claims"]> {
  const { metadata, clientId, clientSecret } = client;
  return {
    ...{ id: providerIdOf(connection), name: connection.name, type: "oauth", idToken: true },
    ...{ issuer: metadata.issuer, clientId, clientSecret, checks: ["pkce", "state", "nonce"] },
    authorization: {
      url: metadata.authorizationEndpoint,
      params: { ...params, scope: connection.scopes.join(" ") },
    },
    token: {
      url: metadata.tokenEndpoint,
      request: async (returned) => {
        try {
          const identified = await identify(client, returned);
          keep(identified);
          return { tokens: {} };
        } catch (error) {
          onError(error);
          throw error;
        }
      },
    },
    userinfo: { url: metadata.tokenEndpoint, request: () => ({}) },
    profile: () => ({ id: client.redirectUri }),
  };
}

const hostCookie = (name: string) => ({
  name: `${isCookieSecure() ? "__Host-" : ""}next-auth.${name}`,
  options: {
    ...{ httpOnly: true, sameSite: "lax", path: "/", secure: isCookieSecure() },
    maxAge: 15 * 60,
  },
});

/** The options of next-auth for one request of one connection. */
export function providerOptions(given: ProviderOptions): NextAuthOptions {
  const shared = authOptions();
  let identified: Identified | undefined;
  const keep = (found: Identified) => {
    identified = found;
  };
  return {
    ...shared,
    providers: [providerOf(given, keep)],
    cookies: {
      ...shared.cookies,
      state: hostCookie("state"),
      nonce: hostCookie("nonce"),
      pkceCodeVerifier: hostCookie("pkce.code_verifier"),
    },
    callbacks: {
      ...shared.callbacks,
      signIn: async ({ user }) => {
        const session = identified && (await given.onIdentified(identified));
        if (session) Object.assign(user, { id: session.sessionId, tenant: session.tenant });
        return session !== undefined;
      },
      jwt: async ({ user }) => ({
        sessions: await withSession(given.headers, {
          tenant: String(Reflect.get(user, "tenant")),
          sessionId: user.id,
        }),
      }),
    },
    // `onError` passes errors of the exchange to the page and the log; next-auth's own log could contain the provider's response.
    logger: {
      error: (code) => log().info({ code }, "next-auth rejected a sign-in at a provider"),
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}
