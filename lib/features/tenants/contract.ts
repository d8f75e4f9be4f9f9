import { z } from "zod";
import { User } from "@/lib/features/users/contract";
import { automation, endpoint, inSession } from "@/lib/protocol/endpoint";
import {
  EmailAddress,
  InstantAnswer,
  Label,
  NewLogin,
  NewPasswordText,
  Slug,
} from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

export const SignUp = z.strictObject({
  tenant: Slug,
  site: Slug,
  login: NewLogin,
  name: Label,
  emailAddress: EmailAddress,
  password: NewPasswordText,
});

export const signUp = endpoint({
  operation: "POST /v1/signup",
  summary: "Make a sandbox tenant with its first site and its administrator",
  credentials: [],
  scope: "none",
  limits: { body: 8 * 1024, address: "signup" },
  requires: ["open-sign-up"],
  status: 201,
  body: SignUp,
  answer: z.object({ tenant: z.string(), site: z.string(), user: User }),
  codes: ["tenant.id-taken", "password.unsuitable", "auth.busy"],
});

export const NewSandbox = z.strictObject({ tenant: Slug, site: Slug, name: Label });

export const createSandbox = endpoint({
  operation: "POST /v1/user/sandboxes",
  replay: { worksIn: "tenant" },
  summary:
    "Make a further sandbox tenant with its first site, and oneself its administrator; POST /v1/user/session/switch leads there",
  ...inSession("ownAccount"),
  limits: { address: "signup" },
  requires: ["open-sign-up"],
  status: 201,
  body: NewSandbox,
  answer: z.object({ tenant: z.string(), site: z.string(), name: z.string() }),
  codes: ["tenant.id-taken"],
});

export const Tenant = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["platform", "production", "sandbox", "demo"]),
  createdAt: InstantAnswer,
});

export type Tenant = z.infer<typeof Tenant>;

export const NewTenant = z.strictObject({
  id: Slug,
  name: Label,
  kind: z.enum(["production", "sandbox"]).default("production"),
  admin: z.strictObject({ login: NewLogin, name: Label, emailAddress: EmailAddress }),
});

const bySupport = {
  ...inSession("platform"),
  permission: "any-role",
  requires: ["platform-user"],
} as const;

export const createTenant = endpoint({
  operation: "POST /v1/tenants",
  summary: "Make a tenant and invite its administrator: the answer holds the link, shown only here",
  ...bySupport,
  status: 201,
  body: NewTenant,
  answer: z.object({
    ...Tenant.shape,
    admin: z.object({
      id: z.string(),
      login: z.string(),
      url: z.string(),
      token: z.string(),
      expiresAt: InstantAnswer,
    }),
  }),
  replay: { worksIn: "id", secretId: "id" },
  codes: ["tenant.id-taken"],
});

export const listTenants = endpoint({
  operation: "GET /v1/tenants",
  summary: "List every tenant, newest first",
  ...bySupport,
  query: z.strictObject(pageQuery),
  answer: z.array(Tenant),
});

export const showTenant = endpoint({
  operation: "GET /v1/tenants/{id}",
  summary: "Show any tenant",
  ...bySupport,
  answer: Tenant,
  codes: ["tenant.not-found"],
  conditional: "tag",
});

const byAdministrator = {
  ...automation,
  permission: "tenant.manage",
  isTenantWide: true,
} as const;

export const getTenant = endpoint({
  operation: "GET /v1/tenant",
  summary: "Show the tenant",
  ...byAdministrator,
  answer: Tenant,
  conditional: "tag",
});

export const updateTenant = endpoint({
  operation: "PATCH /v1/tenant",
  summary: "Rename the tenant",
  ...byAdministrator,
  body: z.strictObject({ name: Label.optional() }),
  answer: Tenant,
  conditional: "tag",
});
