import type { Answered, Send } from "@/lib/http/testing/test-server";
import { makeSession, makeUser } from "@/lib/setup/testing/factories";
import type { Operation } from "./isolation-requests";
import { credentialsOf, makeIsolationWorld } from "./isolation-world";
import type { DeclaredOperation, Schema } from "./sample-bodies";
import { type TextOperation, textOperation } from "./text-requests";

/** They end the caller's own credentials: they run last. */
const endsCaller = [
  "DELETE /v1/user/session",
  "DELETE /v1/user/sessions/{ref}",
  "POST /v1/customer/logout",
  "DELETE /v1/customer/profile",
  "DELETE /v1/user/sessions",
];

const schemeOf: Record<string, string> = {
  Session: "session",
  ApiKey: "apiKey",
  NoChannelPortalAccess: "bearer",
  AnonymousBearerToken: "anonymous",
  LoggedInBearerToken: "customer",
};

/** The parts of a request that replace those of the sample. */
export interface Asked {
  path?: string;
  query?: string;
  body?: unknown;
  /** Override those of the operation. */
  headers?: Record<string, string>;
}

/** A tenant in which an allowed caller can send each operation of /openapi.json. */
export interface TextWorld {
  declared: Operation[];
  components: Record<string, Schema>;
  tenant: () => string;
  operations: () => TextOperation[];
  ask: (operation: TextOperation, asked: Asked) => Promise<Answered>;
  /** Continues in a new tenant, with new credentials. */
  renew: () => Promise<void>;
}

const isReachable = ({ schemes }: TextOperation) =>
  schemes.length === 0 || schemes.some((one) => one in schemeOf);

async function makePlace(send: Send, declared: Operation[], components: Record<string, Schema>) {
  const world = await makeIsolationWorld(send);
  const { tenant } = world;
  const support = await makeUser(tenant, { roleIds: ["tenant.admin"], row: { isSystem: true } });
  const system = await makeSession(tenant, support.userId);
  const credentials: Record<string, Record<string, string>> = {
    ...(await credentialsOf(send, world, tenant)),
    system: { "X-Service-Session-Id": system.sessionId },
  };
  const place = ({ name }: Operation) => endsCaller.indexOf(name);
  const operations = declared
    .toSorted((one, other) => place(one) - place(other))
    .map((one) => textOperation(one, world, components))
    .filter(isReachable);
  return { tenant, credentials, operations };
}

const encodings: Record<string, (body: unknown) => string> = {
  "application/x-www-form-urlencoded": (body) =>
    new URLSearchParams(body as Record<string, string>).toString(),
};

export async function openTextWorld(send: Send): Promise<TextWorld> {
  const { body: document } = await send("GET /openapi.json");
  const { schemas: components } = document.components;
  const declared = Object.entries<Record<string, DeclaredOperation>>(document.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, one]) => "x-error-codes" in one)
        .map(([method, one]) => ({ name: `${method.toUpperCase()} ${path}`, declared: one })),
  );
  let place = await makePlace(send, declared, components);
  const ask = async (operation: TextOperation, { path, query = "", body, headers: own }: Asked) => {
    const { method, template, type, schemes } = operation;
    const scheme = schemeOf[schemes.find((one) => one in schemeOf) ?? ""] ?? "none";
    const isForSystem = template.startsWith("/v1/tenants");
    const headers = {
      ...place.credentials[isForSystem ? "system" : scheme],
      "X-Service-Tenant": place.tenant,
      "X-Service-Site": "one",
      ...(method === "GET" ? {} : { "If-Match": "*" }),
      ...(type === undefined ? {} : { "Content-Type": type }),
      ...own,
    };
    const encode = encodings[type ?? ""] ?? JSON.stringify;
    const raw = type === undefined ? undefined : encode(body ?? operation.body);
    const sent = raw === undefined ? { headers } : { headers, raw };
    return send(`${method} ${path ?? operation.path}?${query}`, sent);
  };
  return {
    declared,
    components,
    ask,
    tenant: () => place.tenant,
    operations: () => place.operations,
    renew: async () => {
      place = await makePlace(send, declared, components);
    },
  };
}
