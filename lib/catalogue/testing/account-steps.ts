import { randomBytes } from "node:crypto";
import type { Subject } from "./account-world";

/** The possible targets of a step: every user and key in the chain so far. */
export interface Known {
  subjects: Pick<Subject, "name" | "userId" | "login">[];
  keys: { apiKeyId: string; owner: string }[];
  /** Tokens of links that the caller was shown. */
  tokens: string[];
}

export interface Step {
  /** "METHOD /path/{parameter}" */
  operation: string;
  path: string;
  body?: unknown;
  /** Names of the users affected. */
  touches: string[];
  /** Roles are set with the ETag of the previous roles. */
  isConditional?: boolean;
}

export const thief = "thief@evil.dev";
export const newPassword = "a new secret that only the thief knows";
const validTo = () => new Date(Date.now() + 3_600_000).toISOString();

/** Roles that a thief would request, in the whole tenant and at the site where `um1` manages users. */
const everyRoles = [
  ...["portal.customers.mgmt", "portal.users.mgmt", "tenant.admin"].map((role) => ({
    ...{ roleIds: [role], sites: {} },
  })),
  ...["portal.customers.mgmt", "tenant.admin"].map((role) => ({
    ...{ roleIds: [], sites: { "a-one": { roleIds: [role] } } },
  })),
];

const newLogin = () => `new-${randomBytes(6).toString("hex")}`;
const newcomers = () =>
  everyRoles.map((roles) => ({ login: newLogin(), name: "New", emailAddress: thief, roles }));

/** The bodies that a thief would send; an operation without an entry is sent without a body. A body may depend on known values. */
const bodies: Record<string, (known: Known) => unknown[]> = {
  "POST /v1/user/session-login": () => [],
  "POST /v1/user/session/switch": () => [{ tenant: "B" }],
  "POST /v1/user/session/step-up": () => [{ password: "guessed wrongly" }],
  "POST /v1/user/session-login/second-factor": () => [],
  "POST /v1/user/session-login/set-up": () => [],
  "POST /v1/user/session-login/set-up/confirm": () => [],
  "POST /v1/user/passkeys": () => [],
  "POST /v1/user/passkey-login": () => [],
  "POST /v1/user/passkey-login/options": () => [],
  "POST /v1/user/second-factors": () => [{ kind: "totp" }],
  "POST /v1/user/second-factors/{id}/confirm": () => [],
  "POST /v1/user/{id}/reset-second-factors": () => [{ reason: "in the way" }],
  "PUT /v1/user/password": () => [{ current: "guessed wrongly", password: newPassword }],
  "POST /v1/user/profile/api-keys": () => [{ name: `key ${newLogin()}`, validTo: validTo() }],
  "PATCH /v1/user/profile/api-keys/{apiKeyId}": () => [{ allowedAddresses: null, rateLimit: null }],
  "PATCH /v1/user/api-keys/{apiKeyId}": () => [{ allowedAddresses: null, rateLimit: null }],
  "POST /v1/user/api-keys/{apiKeyId}/handover": ({ subjects }) =>
    subjects.map(({ userId }) => ({ userId })),
  "POST /v1/user/{id}/api-keys": () => [{ name: `key ${newLogin()}`, validTo: validTo() }],
  "PATCH /v1/user/{id}": () => [{ emailAddress: thief }],
  "POST /v1/user/{id}/lock": () => [{ reason: "in the way" }],
  "PUT /v1/user/{id}/roles": () => everyRoles,
  "POST /v1/user/access-requests/{id}/decide": () => [{ decision: "grant" }],
  "POST /v1/user/invitations": () => newcomers(),
  "POST /v1/user/invitations/accept": ({ tokens }) =>
    tokens.map((token) => ({ token, password: newPassword })),
  "POST /v1/user/password-resets": ({ subjects }) => subjects.map(({ login }) => ({ login })),
  "POST /v1/user/password-resets/confirm": ({ tokens }) =>
    tokens.map((token) => ({ token, password: newPassword })),
  "POST /v1/user/email-confirmations/confirm": ({ tokens }) => tokens.map((token) => ({ token })),
  "POST /v1/user/service-users": () =>
    newcomers().map(({ emailAddress: _, ...program }) => program),
  "POST /v1/user/{id}/erase": () => [{ reason: "in the way" }],
  "POST /v1/tenants": () => [
    {
      ...{ id: `evil-${newLogin()}`, name: "Evil", kind: "sandbox" },
      admin: { login: "evil", name: "Evil", emailAddress: thief },
    },
  ],
  // A caller who decides which roles a group gives could get them through the groups of another provider.
  "POST /v1/tenant/connections": () =>
    everyRoles.map((roles) => ({
      ...{ name: "Evil", issuer: "https://evil.example", clientId: "x", clientSecret: "x" },
      groupRoles: [{ group: "thieves", roles, grantsAdministration: true }],
    })),
  "POST /v1/user/api-keys/{apiKeyId}/hand-offs": () => [
    { secretHash: "0".repeat(64), sealed: "A".repeat(108) },
  ],
  "POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs": () => [
    { secretHash: "0".repeat(64), sealed: "A".repeat(108) },
  ],
};

/** Operations under /v1/user and /v1/tenants that change no user, key or role. */
const others = new Set([
  "POST /v1/user/api-keys/report-leak",
  "POST /v1/user/api-keys/hand-offs/open",
  "POST /v1/user/sandboxes",
  "PUT /v1/user/preferences",
  "POST /v1/user/notices/{id}/dismiss",
  "POST /v1/user/access-requests",
  "DELETE /v1/user/access-requests/{id}",
  "PUT /v1/tenants/{id}/quotas/{quota}",
  "DELETE /v1/user/sessions/{ref}",
  "DELETE /v1/user/sessions",
  "DELETE /v1/user/session",
]);

interface Described {
  requestBody?: { required?: boolean };
}

/** The operations of the API that change a user, a key or a role. Throws for an operation that needs a body not defined here. */
export function accountOperations(paths: Record<string, Record<string, Described>>): string[] {
  const all = Object.entries(paths).flatMap(([path, of]) =>
    Object.entries(of).map(([method, described]) => ({
      operation: `${method.toUpperCase()} ${path}`,
      described,
    })),
  );
  const changing = all.filter(
    ({ operation }) =>
      (/^(?:POST|PUT|PATCH|DELETE) \/v1\/(?:user|tenants)(?:\/|$)/.test(operation) ||
        operation === "POST /v1/tenant/connections") &&
      !others.has(operation),
  );
  const unknown = changing.filter(
    ({ operation, described }) => described.requestBody?.required && !bodies[operation],
  );
  if (unknown.length > 0)
    throw new Error(
      `say what a thief would send to ${unknown.map(({ operation }) => operation).join(", ")}`,
    );
  return changing.map(({ operation }) => operation);
}

/** The steps of an operation: each of its bodies for each possible user or key. */
export function stepsOf(operation: string, known: Known): Step[] {
  const template = operation.slice(operation.indexOf(" ") + 1);
  const named = template.includes("{apiKeyId}")
    ? known.keys.map(({ apiKeyId, owner }) => ({ id: apiKeyId, touches: [owner] }))
    : template.includes("{id}")
      ? known.subjects.map(({ userId, name }) => ({ id: userId, touches: [name] }))
      : [{ id: "", touches: [] }];
  return named.flatMap(({ id, touches }) => {
    const given = bodies[operation]?.(known) ?? [undefined];
    return given.map((body): Step => {
      const about = known.subjects.filter(({ userId, login }) =>
        [userId, login].some((one) => Object.values(Object(body)).includes(one)),
      );
      return {
        operation,
        path: template.replace(/\{\w+\}/, id).replace("{id}", "none"),
        ...(body !== undefined && { body }),
        touches: [...touches, ...about.map(({ name }) => name)],
        ...(operation.startsWith("PUT") && template.endsWith("/roles") && { isConditional: true }),
      };
    });
  });
}
