import { z } from "zod";
import { NewCustomer } from "@/lib/features/customers/managing-contract";
import { ImportResult } from "@/lib/protocol/documents/import-result";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import { boundedText, Instant, InstantAnswer, listOf, Slug } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

/** The state of an import; the last two are final. */
const importStates = ["receiving", "queued", "running", "done", "cancelled"] as const;

export const maxImportBytes = 1024 ** 3;

const managed = {
  ...automation,
  scope: "site",
  permission: "customer.manage",
} as const;

export const CustomerImport = z.object({
  id: z.string(),
  state: z.enum(importStates).meta({ description: "receiving: the file is on its way" }),
  total: z.int().meta({ description: "Lines that are not empty" }),
  done: z.int().meta({ description: "Customers that were created" }),
  failed: z.int().meta({ description: "Lines that were refused" }),
  createdBy: z.string().meta({ description: "The id of a user" }),
  createdAt: InstantAnswer,
  startedAt: InstantAnswer.nullable().meta({ description: "null while it waits" }),
  endedAt: InstantAnswer.nullable().meta({ description: "null until it is done or cancelled" }),
});

export type CustomerImport = z.infer<typeof CustomerImport>;

/** One line of an import. */
export const ImportedCustomer = z.strictObject({
  ...NewCustomer.shape,
  siteIds: listOf(Slug, 500, 1)
    .meta({
      description: "Sites at which the caller may manage customers; else that of the request",
    })
    .optional(),
  registrationDate: Instant.optional(),
  id: boundedText(262_144).meta({ description: "As an export has it: ignored" }).optional(),
  passwordHash: boundedText(512)
    .meta({ description: "A bcrypt, scrypt, PBKDF2 or argon2 hash in modular-crypt or PHC format" })
    .optional(),
});

export const importCustomers = endpoint({
  ...managed,
  operation: "POST /v1/customers/imports",
  summary: "Import customers, one JSON object a line",
  description:
    "Stores the lines and imports them afterwards, in batches; Location names the import. A line that is refused stops no other. A tenant has one open import at a time. An Idempotency-Key has no effect.",
  consumes: "application/x-ndjson",
  limits: { body: maxImportBytes },
  body: ImportedCustomer,
  answer: CustomerImport,
  status: 202,
  codes: ["customer.import-running", "quota.exceeded"],
});

export const listCustomerImports = endpoint({
  ...managed,
  operation: "GET /v1/customers/imports",
  summary: "List the imports of customers at a site of the last 30 days, newest first",
  query: z.strictObject(pageQuery),
  answer: z.array(CustomerImport),
});

export const getCustomerImport = endpoint({
  ...managed,
  operation: "GET /v1/customers/imports/{id}",
  summary: "Show how far an import of customers has come",
  answer: CustomerImport,
  conditional: "tag",
  codes: ["customer.import-not-found"],
});

export const cancelCustomerImport = endpoint({
  ...managed,
  operation: "POST /v1/customers/imports/{id}/cancel",
  summary: "Cancel an import of customers; those that were created stay",
  answer: CustomerImport,
  codes: ["customer.import-not-found", "customer.import-ended"],
});

export const ListImportResultsQuery = z.strictObject({
  result: z.enum(["created", "failed"]).optional(),
  ...pageQuery,
});

export const listCustomerImportResults = endpoint({
  ...managed,
  operation: "GET /v1/customers/imports/{id}/results",
  summary: "List what became of each line of an import, in the order of the lines",
  query: ListImportResultsQuery,
  answer: z.array(ImportResult),
  codes: ["customer.import-not-found"],
});
