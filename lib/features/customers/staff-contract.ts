import { z } from "zod";
import { customerGuardCodes } from "@/lib/protocol/code-groups";
import {
  Addresses,
  CreditCards,
  EmailAddresses,
  Name,
  Subscriptions,
} from "@/lib/protocol/documents/customer-profile";
import { automation, endpoint, management } from "@/lib/protocol/endpoint";
import {
  Instant,
  InstantAnswer,
  listOf,
  Reason,
  SearchText,
  untagged,
} from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { CustomerActivity, CustomerSession } from "./contract";

/** Fields that are masked until they are revealed. */
export const personalFields = [
  "login",
  "name",
  "emailAddresses",
  "birthDate",
  "gender",
  "addresses",
  "creditCards",
  "defaultLocationId",
  "subscriptions",
] as const;

export type PersonalField = (typeof personalFields)[number];

/** A customer as staff sees it: personal data only as far as needed to distinguish two customers. */
export const ListedCustomer = z
  .object({
    id: z.string(),
    login: z.string(),
    name: z.string().nullable(),
    emailAddress: z.string().nullable(),
    registrationDate: InstantAnswer,
    lastLoginAt: InstantAnswer.nullable().meta(untagged),
    siteIds: z.array(z.string()),
    lock: z.boolean(),
  })
  .meta({ id: "Customer" });

/** The number of entries of each kind, so that staff sees whether there is anything to reveal. */
const Counts = z.object({
  addresses: z.int(),
  emailAddresses: z.int(),
  creditCards: z.int(),
  subscriptions: z.int(),
});

export const CustomerDetail = z
  .object({
    ...ListedCustomer.shape,
    revision: z.int().meta({ description: "Raised by each change of profile or sites" }),
    lockReason: z.string().nullable(),
    lockedAt: InstantAnswer.nullable(),
    lockedUntil: InstantAnswer.nullable(),
    birthDate: z.string().nullable(),
    gender: z.string().nullable(),
    counts: Counts,
    unmanagedSiteIds: z.array(z.string()).meta({
      description:
        "Sites of the customer at which the caller lacks customer.manage. While there are any, lock, unlock, end-sessions, password-token, reveal and erasure are refused (403 customer.other-sites)",
    }),
    sessions: z.array(CustomerSession).meta(untagged),
    activity: z.array(CustomerActivity).meta(untagged),
  })
  .meta({ id: "CustomerDetail" });

export type ListedCustomer = z.infer<typeof ListedCustomer>;
export type CustomerDetail = z.infer<typeof CustomerDetail>;

const Sought = SearchText.optional();
const searches = ["q", "login", "emailAddress", "id"] as const;

export const ListCustomersQuery = z
  .strictObject({
    q: Sought.meta({
      description: "The whole login, e-mail address or id; each search is recorded",
    }),
    login: Sought.meta({ description: "The whole login" }),
    emailAddress: Sought.meta({ description: "The whole e-mail address" }),
    id: Sought,
    lock: z
      .enum(["true", "false"])
      .transform((text) => text === "true")
      .optional()
      .meta({ description: "Only customers that are locked now, or that are not" }),
    ...pageQuery,
  })
  .superRefine((query, context) => {
    for (const name of searches.filter((one) => query[one] !== undefined).slice(1))
      context.addIssue({
        code: "custom",
        path: [name],
        message: `excludes the other ways to search (${searches.join(", ")})`,
      });
  });

const staff = { scope: "site" } as const;

export const listCustomers = endpoint({
  ...staff,
  operation: "GET /v1/customers",
  summary: "List the customers of a site, newest first, personal data masked",
  credentials: management,
  permission: "customer.read",
  query: ListCustomersQuery,
  answer: z.array(ListedCustomer),
});

export const getCustomer = endpoint({
  ...staff,
  operation: "GET /v1/customers/{id}",
  summary: "Show a customer of the site, personal data masked",
  credentials: management,
  permission: "customer.read",
  answer: CustomerDetail,
  codes: ["customer.not-found"],
  conditional: "tag",
});

export const LockCustomer = z.strictObject({
  reason: Reason,
  until: Instant.optional(),
});

export const lockCustomer = endpoint({
  ...staff,
  operation: "POST /v1/customers/{id}/lock",
  summary: "Lock a customer out",
  ...automation,
  permission: "customer.manage",
  body: LockCustomer,
  answer: CustomerDetail,
  codes: [...customerGuardCodes],
});

export const unlockCustomer = endpoint({
  ...staff,
  operation: "POST /v1/customers/{id}/unlock",
  summary: "Let a locked customer in again",
  ...automation,
  permission: "customer.manage",
  answer: CustomerDetail,
  codes: [...customerGuardCodes],
});

export const endCustomerSessions = endpoint({
  ...staff,
  operation: "POST /v1/customers/{id}/end-sessions",
  summary: "End every sign-in of a customer",
  ...automation,
  permission: "customer.manage",
  answer: CustomerDetail,
  codes: [...customerGuardCodes],
});

export const EraseCustomer = z.strictObject({ reason: Reason });

export const eraseCustomer = endpoint({
  ...staff,
  operation: "DELETE /v1/customers/{id}",
  stepUp: "policy",
  summary:
    "Erase a customer on request: everything that the customer's own deletion removes. The audit trail keeps the id, the reason and who did it",
  credentials: ["session", "apiKey"],
  keyRule: { mustNamePermission: true },
  permission: "customer.manage",
  body: EraseCustomer,
  status: 204,
  codes: [...customerGuardCodes],
  conditional: "tag",
});

const ofSite = {
  ...staff,
  credentials: ["session", "apiKey"],
  permission: "customer.manage",
} as const;

export const addCustomerToSite = endpoint({
  ...ofSite,
  operation: "PUT /v1/customers/{id}/sites/{site}",
  summary: "Let a customer sign in at another site too; customer.manage is needed there as well",
  answer: CustomerDetail,
  codes: ["customer.not-found", "site.not-found"],
});

export const removeCustomerFromSite = endpoint({
  ...ofSite,
  operation: "DELETE /v1/customers/{id}/sites/{site}",
  summary: "Take a customer from a site and end the sign-ins there",
  status: 204,
  codes: ["customer.not-found", "site.not-found", "customer.last-site"],
});

export const RevealCustomer = z.strictObject({
  fields: listOf(z.enum(personalFields), personalFields.length, 1),
  reason: Reason,
});

/** The requested fields of the profile, without payment tokens. */
export const RevealedCustomer = z.object({
  login: z.string().optional(),
  name: Name.optional(),
  emailAddresses: EmailAddresses.optional(),
  birthDate: z.string().optional(),
  gender: z.string().optional(),
  addresses: Addresses.optional(),
  creditCards: CreditCards.optional(),
  defaultLocationId: z.string().optional(),
  subscriptions: Subscriptions.optional(),
});

export type RevealedCustomer = z.infer<typeof RevealedCustomer>;

export const revealCustomer = endpoint({
  ...staff,
  operation: "POST /v1/customers/{id}/reveal",
  summary: "Show personal data of a customer: which, why and by whom is recorded",
  ...automation,
  permission: "customer.manage",
  body: RevealCustomer,
  answer: RevealedCustomer,
  replay: { secretId: null },
  codes: [...customerGuardCodes],
});

export const createPasswordToken = endpoint({
  ...staff,
  operation: "POST /v1/customers/{id}/password-token",
  summary:
    "Create a token by which a customer may set a new password, for the shop's own mailer; by API key only where the security policy allows it",
  credentials: ["session", "apiKey"],
  keyRule: { policy: "allowsPasswordTokensByApiKey" },
  permission: "customer.manage",
  status: 201,
  answer: z.object({ id: z.string(), token: z.string(), expiresAt: InstantAnswer }),
  replay: { secretId: "id" },
  codes: [...customerGuardCodes],
});
