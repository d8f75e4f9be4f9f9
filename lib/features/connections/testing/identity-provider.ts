import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** The provider's claims about a user, by login. */
export type Accounts = Record<string, Record<string, unknown>>;

export interface IdentityProvider {
  issuer: string;
  /** The number of requests to each path. */
  asked: Map<string, number>;
  /** Starts to respond, once the redirect URIs are known. */
  serve: (client: {
    redirectUris: string[];
    accounts: Accounts;
    method?: "post";
    /** The back-channel logout URL of the service. */
    logoutUri?: string | undefined;
  }) => void;
  close: () => Promise<void>;
}

export const clientId = "gatehouse";
export const clientSecret = "shared between the provider and the service";

interface Listening {
  server: Server;
  issuer: string;
  answerWith: (listener: RequestListener) => void;
}

/** A test certificate for https, trusted by processes that get it. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A server on loopback whose handler is set later, when its address is known. */
export async function listen(asked: Map<string, number>, tls?: Certificate): Promise<Listening> {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end();
  const answer: RequestListener = (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    asked.set(path, (asked.get(path) ?? 0) + 1);
    listener(request, response);
  };
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answerWith = (next: RequestListener) => {
    listener = next;
  };
  return { server, issuer, answerWith };
}

export const closed = (server: Server): Promise<void> => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
};

/** A real OpenID provider on loopback, with pages to sign in and to consent. */
export async function openIdentityProvider(tls?: Certificate): Promise<IdentityProvider> {
  const asked = new Map<string, number>();
  const { server, issuer, answerWith } = await listen(asked, tls);
  return {
    issuer,
    asked,
    serve: ({ redirectUris, accounts, method, logoutUri }) => {
      const postLogoutUris = redirectUris.map((uri) => new URL("/sign-in", uri).href);
      const provider = new Provider(issuer, {
        clients: [
          {
            ...{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris },
            token_endpoint_auth_method:
              method === "post" ? "client_secret_post" : "client_secret_basic",
            post_logout_redirect_uris: postLogoutUris,
            ...(logoutUri !== undefined && {
              ...{ backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true },
            }),
          },
        ],
        clientAuthMethods: [method === "post" ? "client_secret_post" : "client_secret_basic"],
        claims: {
          email: ["email", "email_verified"],
          profile: ["name", "preferred_username", "groups", "_claim_names"],
        },
        findAccount: (_, accountId) => ({
          accountId,
          claims: () => ({ sub: accountId, ...accounts[accountId] }),
        }),
        cookies: { keys: ["of a test"] },
        features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
        // The default fetch rejects loopback addresses, which these tests use.
        fetch: (url, asked) => fetch(url, { ...asked, ...{ dispatcher: undefined } }),
        pkce: { required: () => true },
      });
      answerWith(provider.callback());
    },
    close: () => closed(server),
  };
}
