import { z } from "zod";
import { customerGuardCodes } from "@/lib/protocol/code-groups";
import { CustomerDetails, CustomerProfile } from "@/lib/protocol/documents/customer-profile";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import { NewLogin, Reason } from "@/lib/protocol/formats";
import { ProfilePatch } from "./contract";
import { CustomerDetail } from "./staff-contract";

/** Operations for users, and for programs whose key names this permission in its restriction. */
const managed = {
  ...automation,
  scope: "site",
  permission: "customer.manage",
} as const;

/** The login and the known fields of the profile. */
export const NewCustomer = z.strictObject({ login: NewLogin, ...CustomerDetails.partial().shape });

export const createCustomer = endpoint({
  ...managed,
  operation: "POST /v1/customers",
  summary: "Create a customer of the site without a password",
  description:
    "Creates a customer of the site without a password. The customer sets one by a token of `POST /v1/customers/{id}/password-token`.",
  body: NewCustomer,
  answer: CustomerDetail,
  status: 201,
  codes: ["customer.login-taken", "quota.exceeded"],
});

export const ExportCustomers = z.strictObject({ reason: Reason });

export const exportCustomers = endpoint({
  ...managed,
  operation: "POST /v1/customers/exports",
  summary: "Export the customers of a site with their profiles",
  description:
    "Exports the customers of a site with their profiles, newest first, without hashes and payment tokens; who did it and why is recorded. Left out are customers who also belong to sites at which the caller lacks the permission.",
  replay: { isSafe: true },
  produces: ["application/json", "application/x-ndjson"],
  body: ExportCustomers,
  answer: z.array(CustomerProfile),
});

export const updateCustomer = endpoint({
  ...managed,
  operation: "PATCH /v1/customers/{id}",
  summary: "Change a customer's profile by a merge patch",
  conditional: "tag",
  body: ProfilePatch,
  answer: CustomerDetail,
  codes: [...customerGuardCodes],
});
