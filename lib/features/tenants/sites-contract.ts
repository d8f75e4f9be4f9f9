import { z } from "zod";
import { isLanguageTag } from "@/lib/features/previews/content";
import { automation, endpoint, management } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer, Label, listOf, Slug } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return origin === text && (protocol === "https:" || protocol === "http:");
}

const Origin = boundedText(256).refine(isOrigin, {
  message: "must be an origin such as https://shop.example, without a path",
});
const Locale = boundedText(64).refine(isLanguageTag, {
  message: "must be a language tag such as en-GB",
});
const Currency = boundedText(3, "must be an ISO 4217 code such as EUR")
  .refine((code) => Intl.supportedValuesOf("currency").includes(code), {
    message: "must be an ISO 4217 code such as EUR",
  })
  .meta({ pattern: "^[A-Z]{3}$" });

const hasDouble = (list: string[]) =>
  new Set(list.map((text) => text.toLowerCase())).size < list.length;
const distinct = (item: z.ZodType<string, string>, max: number) =>
  listOf(item, max).refine((list) => !hasDouble(list), {
    message: "must not name anything twice",
  });

const settings = { allowedOrigins: distinct(Origin, 50), locales: distinct(Locale, 50) };

export const Site = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: InstantAnswer,
  allowedOrigins: z
    .array(z.string())
    .meta({ description: "Origins of pages that may call the consumer interface of this site" }),
  locales: z.array(z.string()),
  currency: z.string().nullable(),
});

export type Site = z.infer<typeof Site>;

export const NewSite = z.strictObject({
  id: Slug,
  name: Label,
  allowedOrigins: settings.allowedOrigins.default([]),
  locales: settings.locales.default([]),
  currency: Currency.nullable().default(null),
});

export const SiteChange = z.strictObject({
  name: Label.optional(),
  allowedOrigins: settings.allowedOrigins.optional(),
  locales: settings.locales.optional(),
  currency: Currency.nullable().optional(),
});

const read = { credentials: management, permission: "tenant.read", isTenantWide: true } as const;
const manage = { ...automation, permission: "tenant.manage", isTenantWide: true } as const;

export const listSites = endpoint({
  operation: "GET /v1/tenant/sites",
  summary: "List the tenant's sites, newest first",
  ...read,
  query: z.strictObject(pageQuery),
  answer: z.array(Site),
});

export const getSite = endpoint({
  operation: "GET /v1/tenant/sites/{id}",
  summary: "Show a site",
  ...read,
  answer: Site,
  codes: ["site.not-found"],
  conditional: "tag",
});

export const createSite = endpoint({
  example: {
    body: { id: "nordic-store", name: "Nordic Store", locales: ["sv-SE"], currency: "SEK" },
  },
  operation: "POST /v1/tenant/sites",
  summary: "Make a site",
  ...manage,
  status: 201,
  body: NewSite,
  answer: Site,
  codes: ["site.id-taken", "site.name-taken", "quota.exceeded"],
});

export const updateSite = endpoint({
  operation: "PATCH /v1/tenant/sites/{id}",
  summary: "Change a site's name, allowed origins, locales or currency; lists replace whole",
  ...manage,
  body: SiteChange,
  answer: Site,
  codes: ["site.not-found", "site.name-taken"],
  conditional: "tag",
});

export const deleteSite = endpoint({
  operation: "DELETE /v1/tenant/sites/{id}",
  stepUp: "policy",
  summary: "Delete a site that nothing belongs to: no customers, preview configurations or roles",
  ...manage,
  status: 204,
  codes: ["site.not-found", "site.not-empty"],
  conditional: "tag",
});
