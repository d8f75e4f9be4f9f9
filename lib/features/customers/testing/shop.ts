import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { expect } from "vitest";
import { transaction } from "@/lib/database/open";
import { insertCustomer } from "@/lib/features/customers/registration";
import type { Answered, Send } from "@/lib/http/testing/test-server";
import { emptyDetails } from "@/lib/protocol/documents/customer-profile";
import { makeTenant } from "@/lib/setup/testing/factories";

export const password = "a longer secret";

/** Hash parameters that are cheap to compute. */
const cheap = { algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 } as const;

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export interface Pair {
  accessToken: string;
  refreshToken: string;
}

/** The requests of a shopper's page at one site of a tenant. */
export interface Shop {
  tenant: string;
  site: string;
  headers: Record<string, string>;
  anonymous(): Promise<string>;
  /** A customer with the test's password: the login and the id. */
  customer(siteIds?: string[]): Promise<{ login: string; id: string }>;
  login(login: string, given?: { password?: string; token?: string }): Promise<Answered>;
  /** Signs in, and expects to succeed. */
  enter(login: string): Promise<Pair>;
  refresh(refreshToken: string): Promise<Answered>;
  profile(accessToken: string): Promise<Answered>;
}

/** The claims of a token, unverified. */
export function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
}

export async function openShop(
  send: Send,
  given: { tenant?: string; site?: string } = {},
): Promise<Shop> {
  const { tenant = await makeTenant(), site = "one" } = given;
  const headers = { "X-Service-Tenant": tenant, "X-Service-Site": site };
  const shop: Shop = {
    tenant,
    site,
    headers,
    anonymous: async () =>
      (await send("POST /v1/customer/login/anonymous-token", { headers })).body.accessToken,
    async customer(siteIds = [site]) {
      const login = `shopper-${randomBytes(5).toString("hex")}`;
      const passwordHash = await hash(password, cheap);
      const id = await transaction((tx) =>
        insertCustomer(tx, {
          tenantId: tenant,
          siteIds,
          login,
          passwordHash,
          details: emptyDetails,
        }),
      );
      return { login, id: id ?? "" };
    },
    async login(login, { password: secret = password, token } = {}) {
      const authorization = bearer(token ?? (await shop.anonymous()));
      return send("POST /v1/customer/login/token", {
        headers: { ...headers, ...authorization },
        body: { login, password: secret },
      });
    },
    async enter(login) {
      const answer = await shop.login(login);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    refresh: (refreshToken) =>
      send("POST /v1/customer/login/refresh-token", { headers, body: { refreshToken } }),
    profile: (accessToken) =>
      send("GET /v1/customer/profile", { headers: { ...headers, ...bearer(accessToken) } }),
  };
  return shop;
}
