import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer, Label, listOf } from "@/lib/protocol/formats";
import { GroupRoles, GroupRolesList } from "./group-contract";
import { defaultClaims, defaultScopes, externalIdClaims, provisionings } from "./values";

const Claims = z.object({
  login: z.string().meta({ description: "The claim with the login of somebody new" }),
  email: z.string().meta({ description: "The claim with the e-mail address of somebody new" }),
  name: z.string().meta({ description: "The claim with the name of somebody new" }),
  groups: z
    .string()
    .nullable()
    .meta({ description: "The claim with the groups of a person; null: sign-ins say none" }),
});

const Provisioning = z.enum(provisionings).meta({
  description:
    "linked-only: only who linked the provider to an account signs in. on-first-sign-in: others become new users with the role portal.default; an existing user is never taken over by an e-mail address",
});

const ExternalIdClaim = z.enum(externalIdClaims).meta({
  description:
    "Which claim of the ID token is the externalId of provisioned people: at their first sign-in they are linked by it. none: they link the provider themselves",
});

export const Connection = z.object({
  id: z.string(),
  name: z.string().meta({ description: "What the button of the sign-in page shows" }),
  issuer: z.string().meta({ description: "As the provider writes it in its ID tokens" }),
  clientId: z.string().meta({ description: "What the provider calls this service" }),
  scopes: z.array(z.string()).meta({ description: "What is asked for at the provider" }),
  claims: Claims.meta({ description: "Which claims describe somebody new" }),
  domains: z.array(z.string()).meta({
    description: "Somebody new needs an e-mail address of one of these domains; empty: any",
  }),
  provisioning: Provisioning,
  isEnabled: z.boolean().meta({ description: "Whether the sign-in page offers it" }),
  externalIdClaim: ExternalIdClaim,
  groupRoles: z.array(GroupRoles).meta({ description: "Which roles the members of groups have" }),
  redirectUri: z.string().meta({ description: "The redirect URI to register at the provider" }),
  backchannelLogoutUri: z.string().meta({
    description:
      "The address for back-channel sign-out (OpenID Connect) to register at the provider",
  }),
  postLogoutRedirectUri: z.string().meta({
    description: "Where a browser is sent that signed out at the provider: to register there",
  }),
  provisioningUrl: z.string().meta({ description: "The address for provisioning by SCIM 2.0" }),
  createdAt: InstantAnswer,
});

export type Connection = z.infer<typeof Connection>;

const matching = (max: number, pattern: RegExp, message: string) =>
  boundedText(max, message)
    .refine((text) => pattern.test(text), { message })
    .meta({ pattern: pattern.source, minLength: 1, maxLength: max });

const claim = (description: string) =>
  matching(128, /^[!-~]{1,128}$/, "must be the name of a claim, without spaces").meta({
    description,
  });

const claims = {
  login: claim("The claim with the login of somebody new"),
  email: claim("The claim with the e-mail address of somebody new"),
  name: claim("The claim with the name of somebody new"),
  groups: claim("The claim with the groups of a person; null: sign-ins say none").nullable(),
};

const settings = {
  name: Label.meta({ description: "What the button of the sign-in page shows" }),
  issuer: boundedText(512).meta({
    format: "uri",
    description:
      "As the provider writes it in its ID tokens: https, and no private, local or reserved address",
  }),
  clientId: matching(256, /^[ -~]{1,256}$/, "must be printable ASCII").meta({
    description: "What the provider calls this service",
  }),
  clientSecret: matching(1024, /^[ -~]{1,1024}$/, "must be printable ASCII").meta({
    description: "Stored encrypted, never shown. Needed again when the issuer changes",
  }),
  scopes: listOf(
    matching(128, /^[!#-[\]-~]{1,128}$/, "must be a scope, without spaces"),
    20,
    1,
  ).meta({ description: "What is asked for at the provider; openid is always among them" }),
  domains: listOf(
    matching(
      253,
      /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/,
      "must be a domain such as shop.example",
    ),
    50,
  ).meta({
    description: "Somebody new needs an e-mail address of one of these domains; empty: any",
  }),
  isEnabled: z.boolean().meta({ description: "Whether the sign-in page offers it" }),
};

export const NewConnection = z.strictObject({
  name: settings.name,
  issuer: settings.issuer,
  clientId: settings.clientId,
  clientSecret: settings.clientSecret,
  scopes: settings.scopes.default(defaultScopes),
  claims: z
    .strictObject({
      login: claims.login.default(defaultClaims.login),
      email: claims.email.default(defaultClaims.email),
      name: claims.name.default(defaultClaims.name),
      groups: claims.groups.default(defaultClaims.groups),
    })
    .default(defaultClaims)
    .meta({ description: "Which claims describe somebody new" }),
  domains: settings.domains.default([]),
  provisioning: Provisioning.default("linked-only"),
  isEnabled: settings.isEnabled.default(false),
  externalIdClaim: ExternalIdClaim.default("none"),
  groupRoles: GroupRolesList.default([]),
});

export const ConnectionChange = z.strictObject({
  name: settings.name.optional(),
  issuer: settings.issuer.optional(),
  clientId: settings.clientId.optional(),
  clientSecret: settings.clientSecret.optional(),
  scopes: settings.scopes.optional(),
  claims: z
    .strictObject({
      login: claims.login.optional(),
      email: claims.email.optional(),
      name: claims.name.optional(),
      groups: claims.groups.optional(),
    })
    .optional()
    .meta({ description: "Which claims describe somebody new" }),
  domains: settings.domains.optional(),
  provisioning: Provisioning.optional(),
  isEnabled: settings.isEnabled.optional(),
  externalIdClaim: ExternalIdClaim.optional(),
  groupRoles: GroupRolesList.optional(),
});

const manage = {
  ...inSession("connection"),
  permission: "tenant.manage",
  isTenantWide: true,
} as const;

/** A user who can change the provider could sign in as anyone, so these operations always require a recent proof of identity. */
const change = { ...manage, stepUp: "always" } as const;

export const listConnections = endpoint({
  operation: "GET /v1/tenant/connections",
  summary: "List the identity providers at which people of the tenant sign in, newest first",
  ...manage,
  answer: z.array(Connection),
});

export const createConnection = endpoint({
  example: {
    body: {
      name: "Example Corp",
      issuer: "https://login.example.com",
      clientId: "gatehouse",
      clientSecret: "kept by the provider",
    },
  },
  operation: "POST /v1/tenant/connections",
  summary:
    "Connect an identity provider (OpenID Connect): disabled unless isEnabled says otherwise",
  ...change,
  status: 201,
  body: NewConnection,
  answer: Connection,
  codes: ["connection.limit-reached", "site.unknown"],
});

export const getConnection = endpoint({
  operation: "GET /v1/tenant/connections/{id}",
  summary: "Show an identity provider of the tenant",
  ...manage,
  answer: Connection,
  conditional: "tag",
  codes: ["connection.not-found"],
});

export const updateConnection = endpoint({
  example: { body: { isEnabled: true } },
  operation: "PATCH /v1/tenant/connections/{id}",
  summary: "Change an identity provider; lists replace whole, and links belong to their issuer",
  ...change,
  body: ConnectionChange,
  answer: Connection,
  conditional: "tag",
  codes: ["connection.not-found", "connection.needed", "site.unknown", "user.last-admin"],
});

export const deleteConnection = endpoint({
  operation: "DELETE /v1/tenant/connections/{id}",
  summary: "Delete an identity provider: nobody signs in there any more",
  ...change,
  status: 204,
  conditional: "tag",
  codes: ["connection.not-found", "connection.needed", "user.last-admin"],
});
