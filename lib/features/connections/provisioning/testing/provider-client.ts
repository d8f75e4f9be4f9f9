import type { Answered, Send } from "@/lib/http/testing/test-server";

/*
 * A client that sends what the provisioning of Okta and of Entra ID sends, as their documentation and their traffic show it: the same
 * bodies, operation names, filters and quirks.
 */

const core = "urn:ietf:params:scim:schemas:core:2.0";
const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const patchSchema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

export interface Someone {
  userName: string;
  givenName: string;
  familyName: string;
  email: string;
  externalId?: string;
}

export const ada: Someone = {
  userName: "ada@shop.example",
  givenName: "Ada",
  familyName: "Lovelace",
  email: "ada@shop.example",
  externalId: "00u1ada",
};

export const patchOf = (...operations: object[]) => ({
  schemas: [patchSchema],
  Operations: operations,
});

export interface Address {
  /** The path of the connection, such as /scim/v2/acme.conn_1. */
  path: string;
  token: string;
}

export type Call = (
  operation: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>;

/** Sends to one connection with its token. */
export const callerOf =
  (send: Send, { path, token }: Address, type = "application/scim+json"): Call =>
  (operation, body, headers = {}) => {
    const [method, below] = operation.split(/ (.*)/s);
    return send(`${method} ${path}${below}`, {
      headers: {
        ...{ Authorization: `Bearer ${token}`, Accept: "application/scim+json" },
        ...(body !== undefined && { "Content-Type": type }),
        ...headers,
      },
      ...(body !== undefined && { raw: JSON.stringify(body) }),
    });
  };

const lookup = (call: Call, userName: string) =>
  call(
    `GET /Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`,
  );

/** Okta: names in lower case, PATCH without a path for `active` only, all other changes by PUT of the whole user, never DELETE. */
export function okta(send: Send, address: Address) {
  const call = callerOf(send, address);
  const userOf = (one: Someone) => ({
    schemas: [`${core}:User`],
    userName: one.userName,
    name: { givenName: one.givenName, familyName: one.familyName },
    emails: [{ primary: true, value: one.email, type: "work" }],
    displayName: `${one.givenName} ${one.familyName}`,
    locale: "en-US",
    externalId: one.externalId,
    groups: [],
    password: "1mz050nq",
    active: true,
  });
  const activate = (id: string, active: boolean) =>
    call(`PATCH /Users/${id}`, patchOf({ op: "replace", value: { active } }));
  return {
    call,
    lookup: (userName: string) => lookup(call, userName),
    create: (one: Someone) => call("POST /Users", userOf(one)),
    replace: (id: string, one: Someone, more: object = {}) =>
      call(`PUT /Users/${id}`, {
        ...userOf(one),
        ...{ id, meta: { resourceType: "User" }, ...more },
      }),
    activate: (id: string) => activate(id, true),
    deactivate: (id: string) => activate(id, false),
  };
}

/** Entra ID: operation names in capitals, booleans as text, values of unknown extensions, a path for each value, DELETE last. */
export function entra(send: Send, address: Address) {
  const call = callerOf(send, address, "application/scim+json; charset=utf-8");
  const replace = (path: string, value: unknown) => ({ op: "Replace", path, value });
  return {
    call,
    lookup: (userName: string) => lookup(call, userName),
    create: (one: Someone) =>
      call("POST /Users", {
        schemas: [`${core}:User`, enterprise],
        externalId: one.externalId,
        userName: one.userName,
        active: true,
        addresses: null,
        displayName: `${one.givenName} ${one.familyName}`,
        emails: [{ type: "work", value: one.email, primary: true }],
        meta: { resourceType: "User" },
        name: {
          formatted: `${one.givenName} ${one.familyName}`,
          familyName: one.familyName,
          givenName: one.givenName,
        },
        phoneNumbers: null,
        roles: [],
        title: null,
        [enterprise]: { department: "Sales", manager: null },
      }),
    rename: (id: string, { givenName, familyName, email }: Someone) =>
      call(
        `PATCH /Users/${id}`,
        patchOf(
          replace('emails[type eq "work"].value', email),
          replace("displayName", `${givenName} ${familyName}`),
          replace("name.givenName", givenName),
          replace("name.familyName", familyName),
          { op: "Add", path: `${enterprise}:department`, value: "Support" },
          { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "1" },
        ),
      ),
    deactivate: (id: string) => call(`PATCH /Users/${id}`, patchOf(replace("active", "False"))),
    activate: (id: string) => call(`PATCH /Users/${id}`, patchOf(replace("active", "True"))),
    remove: (id: string) => call(`DELETE /Users/${id}`),
  };
}
