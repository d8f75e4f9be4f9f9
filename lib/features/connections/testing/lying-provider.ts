import type { IncomingMessage } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { type Certificate, closed, listen } from "./identity-provider";

type Answer = { status?: number; body: unknown; headers?: Record<string, string> };

/** A provider with the responses that a test sets, including ones that no conforming provider sends. */
export interface LyingProvider {
  issuer: string;
  asked: Map<string, number>;
  /** The form of the newest request to the token endpoint. */
  form: () => URLSearchParams;
  /** Signs claims with its key, by default as a conforming provider would. */
  sign: (claims: JWTPayload, header?: { kid?: string; alg?: string }) => Promise<string>;
  /** Replaces its key by a new one. */
  renewKey: (kid: string) => Promise<void>;
  /** Sets the response of a path. */
  answer: (path: string, answer: () => Answer | Promise<Answer>) => void;
  close: () => Promise<void>;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

export async function openLyingProvider(tls?: Certificate): Promise<LyingProvider> {
  const asked = new Map<string, number>();
  const { server, issuer, answerWith } = await listen(asked, tls);
  let form = new URLSearchParams();
  const newKey = async (kid: string) => ({ kid, ...(await generateKeyPair("RS256")) });
  let key = await newKey("first");
  const answers = new Map<string, () => Answer | Promise<Answer>>([
    [
      "/.well-known/openid-configuration",
      () => ({
        body: {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
        },
      }),
    ],
    [
      "/jwks",
      async () => {
        const jwk = { ...(await exportJWK(key.publicKey)), kid: key.kid, alg: "RS256", use: "sig" };
        return { body: { keys: [jwk] } };
      },
    ],
  ]);
  answerWith(async (request, response) => {
    const text = await textOf(request);
    if (request.method === "POST") form = new URLSearchParams(text);
    const found = await answers.get((request.url ?? "").split("?")[0] ?? "")?.();
    const { status = 404, body = {}, headers = {} } = found ? { status: 200, ...found } : {};
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  return {
    issuer,
    asked,
    form: () => form,
    sign: (claims, { kid = key.kid, alg = "RS256" } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key.privateKey),
    renewKey: async (kid) => {
      key = await newKey(kid);
    },
    answer: (path, answer) => void answers.set(path, answer),
    close: () => closed(server),
  };
}
