import { z } from "zod";
import {
  BirthDate,
  CustomerDetails,
  CustomerProfile,
  Name,
} from "@/lib/protocol/documents/customer-profile";
import { endpoint } from "@/lib/protocol/endpoint";
import {
  EmailAddress,
  InstantAnswer,
  NewLogin,
  NewCustomerPasswordText as Password,
  PasswordText,
} from "@/lib/protocol/formats";
import { mergePatchOf } from "@/lib/protocol/merge-patch";

/** The options of every shopper operation. */
const consumer = { plane: "consumer", scope: "site" } as const;
const smallBody = 8 * 1024;

export const createAnonymousToken = endpoint({
  ...consumer,
  operation: "POST /v1/customer/login/anonymous-token",
  summary: "Obtain an anonymous bearer token",
  credentials: [],
  limits: { address: "anonymous-token" },
  answer: z.object({ accessToken: z.string(), tokenType: z.literal("Bearer"), expiresIn: z.int() }),
});

export const Registration = z.strictObject({
  login: NewLogin,
  password: Password,
  emailAddress: EmailAddress.optional(),
  name: Name.optional(),
  birthDate: BirthDate.optional(),
});

export const registerCustomer = endpoint({
  ...consumer,
  operation: "POST /v1/customer/registration",
  summary: "Register a customer of the tenant at this site",
  credentials: ["anonymous"],
  limits: { body: smallBody, address: "registration" },
  requires: ["open-registration"],
  body: Registration,
  answer: CustomerProfile,
  status: 201,
  codes: ["customer.login-taken", "password.unsuitable", "auth.busy", "quota.exceeded"],
});

export const TokenPair = z
  .object({ accessToken: z.string(), refreshToken: z.string() })
  .meta({ id: "CustomerTokenPair" });

export const CustomerLogin = z.strictObject({
  login: z.string().min(1).max(512),
  password: PasswordText,
});

export const loginCustomer = endpoint({
  ...consumer,
  operation: "POST /v1/customer/login/token",
  summary: "Customer login",
  credentials: ["anonymous"],
  limits: { body: smallBody, address: "login" },
  body: CustomerLogin,
  answer: TokenPair,
  codes: ["auth.login-failed", "customer.locked", "auth.too-many-attempts", "auth.busy"],
});

export const refreshTokens = endpoint({
  ...consumer,
  operation: "POST /v1/customer/login/refresh-token",
  summary: "Exchange a refresh token for a new pair",
  credentials: [],
  limits: { body: smallBody, address: "refresh-token" },
  body: z.strictObject({ refreshToken: z.string().min(1).max(4096) }),
  answer: TokenPair,
  codes: [
    "auth.credentials-invalid",
    "auth.credentials-expired",
    "auth.refresh-token-reused",
    "customer.locked",
    "auth.token-wrong-site",
  ],
});

export const Logout = z.strictObject({ refreshToken: z.string().max(4096).optional() });

export const logoutCustomer = endpoint({
  ...consumer,
  operation: "POST /v1/customer/logout",
  summary: "End this sign-in",
  credentials: ["customer"],
  limits: { body: smallBody },
  body: Logout,
  isBodyOptional: true,
  status: 204,
});

export const ChangeCustomerPassword = z.strictObject({
  current: PasswordText,
  password: Password,
});

export const changeCustomerPassword = endpoint({
  ...consumer,
  operation: "POST /v1/customer/password",
  summary: "Change one's own password and end one's other sign-ins",
  credentials: ["customer"],
  limits: { body: smallBody },
  body: ChangeCustomerPassword,
  status: 204,
  codes: ["password.unsuitable", "auth.too-many-attempts", "auth.busy"],
});

export const ConfirmPasswordReset = z.strictObject({
  token: z.string().min(1).max(512),
  password: Password,
});

export const confirmCustomerPasswordReset = endpoint({
  ...consumer,
  operation: "POST /v1/customer/password-resets/confirm",
  summary: "Set a new password by a token from the shop and end every sign-in",
  credentials: ["anonymous"],
  limits: { body: smallBody, address: "password-reset" },
  body: ConfirmPasswordReset,
  status: 204,
  codes: ["auth.link-invalid", "link.void", "password.unsuitable", "auth.busy"],
});

export const getCustomerProfile = endpoint({
  ...consumer,
  operation: "GET /v1/customer/profile",
  summary: "Get own customer profile",
  credentials: ["customer"],
  conditional: "tag",
  answer: CustomerProfile,
});

export const ProfilePatch = mergePatchOf(CustomerDetails, [
  "id",
  "login",
  "registrationDate",
  "siteIds",
]);

export const updateCustomerProfile = endpoint({
  example: { body: { name: { first: "Ann", last: "Berg" } } },
  ...consumer,
  operation: "PATCH /v1/customer/profile",
  summary: "Change one's own profile by a merge patch",
  credentials: ["customer"],
  conditional: "tag",
  body: ProfilePatch,
  answer: CustomerProfile,
});

export const deleteCustomerProfile = endpoint({
  ...consumer,
  operation: "DELETE /v1/customer/profile",
  summary: "Delete one's own account with all that is kept of it",
  credentials: ["customer"],
  conditional: "tag",
  status: 204,
});

export const CustomerSession = z.object({
  ref: z.string(),
  siteId: z.string(),
  createdAt: InstantAnswer,
  lastSeenAt: InstantAnswer,
  expiresAt: InstantAnswer,
  address: z.string(),
  agent: z.string(),
});

export const CustomerActivity = z.object({
  occurredAt: InstantAnswer,
  action: z.string(),
  siteId: z.string(),
  fields: z.array(z.string()),
  address: z.string(),
  agent: z.string(),
});

export type CustomerSession = z.infer<typeof CustomerSession>;
export type CustomerActivity = z.infer<typeof CustomerActivity>;

/** An action of staff or a program of the shop on the customer. */
export const CustomerAccess = z.object({
  occurredAt: InstantAnswer,
  action: z.string(),
  by: z.object({ type: z.string(), id: z.string() }),
  fields: z.array(z.string()).meta({ description: "Which personal data was shown" }),
  reason: z.string().optional(),
});

export const ExportRecord = z.discriminatedUnion("type", [
  z.object({ type: z.literal("profile"), data: CustomerProfile }),
  z.object({ type: z.literal("session"), data: CustomerSession }),
  z.object({ type: z.literal("activity"), data: CustomerActivity }),
  z.object({ type: z.literal("access"), data: CustomerAccess }),
]);

export const exportCustomer = endpoint({
  ...consumer,
  operation: "GET /v1/customer/profile/export",
  summary: "Export all that is kept of one's own account",
  credentials: ["customer"],
  produces: ["application/json", "application/x-ndjson"],
  answer: z.array(ExportRecord),
});
