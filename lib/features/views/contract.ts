import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer, label } from "@/lib/protocol/formats";
import { cut } from "@/lib/protocol/text";
import { unreadable } from "./addresses";
import {
  chartPage,
  maxViewName,
  maxViewQuery,
  type ViewPage,
  viewPages,
  viewParameters,
} from "./values";

const descriptions = {
  page: "The page of the portal",
  query: "The query of the page's address",
  shared: "Whether everybody who may open the page has it",
  default: "Whether the page opens with it for the caller",
  home: "Whether the home page of everybody who has it shows it as a chart; only of page metrics",
} as const;

const Page = z.enum(viewPages).meta({ description: descriptions.page });

export const SavedView = z.object({
  id: z.string(),
  page: Page,
  name: z.string(),
  query: z.string().meta({ description: descriptions.query, example: "lock=true&sort=-login" }),
  shared: z.boolean().meta({ description: descriptions.shared }),
  default: z.boolean().meta({ description: descriptions.default }),
  home: z.boolean().meta({ description: descriptions.home }),
  userId: z.string().meta({ description: "Who made it" }),
  createdAt: InstantAnswer,
  updatedAt: InstantAnswer,
});

export type SavedView = z.infer<typeof SavedView>;

const Name = label(maxViewName);

/** The problem of a page's query; undefined if its parameters are known to the page, not repeated, and valid. */
export function problemOf(page: ViewPage, query: string): string | undefined {
  const known: readonly string[] = viewParameters[page];
  const given = new URLSearchParams(query);
  const names = [...given.keys()];
  const wrong = names.find((name, index) => !known.includes(name) || names.indexOf(name) !== index);
  if (wrong !== undefined)
    return `has a parameter twice, or one that the page does not keep: ${cut(wrong, 100)}`;
  const [name] = unreadable(given);
  return name === undefined ? undefined : `has a value that the page cannot read: ${name}`;
}

const Query = boundedText(maxViewQuery)
  .regex(/^(?!\?)[!$-~]*$/, { message: "must be a query of an address, without its question mark" })
  .meta({ maxLength: maxViewQuery, description: descriptions.query, example: "lock=true" });

const flags = {
  shared: z.boolean().meta({ description: descriptions.shared }),
  default: z.boolean().meta({ description: descriptions.default }),
  home: z.boolean().meta({ description: descriptions.home }),
};

/** Only the metrics page has charts. */
export const onlyCharts = `may be true for page ${chartPage} only`;

export const NewSavedView = z
  .strictObject({
    page: Page,
    name: Name,
    query: Query,
    shared: flags.shared.default(false),
    default: flags.default.default(false),
    home: flags.home.default(false),
  })
  .superRefine(({ page, query, home }, context) => {
    const message = problemOf(page, query);
    if (message) context.addIssue({ code: "custom", path: ["query"], message });
    if (home && page !== chartPage)
      context.addIssue({ code: "custom", path: ["home"], message: onlyCharts });
  });

export const SavedViewChange = z.strictObject({
  name: Name.optional(),
  query: Query.optional(),
  shared: flags.shared.optional(),
  default: flags.default.optional(),
  home: flags.home.optional(),
});

const inPortal = { ...inSession("savedView"), permission: "any-role" } as const;

export const listViews = endpoint({
  operation: "GET /v1/views",
  summary: "List one's own saved views and those shared in the tenant, by name",
  description: "Shared views of pages that the caller may not open are left out.",
  ...inPortal,
  query: z.strictObject({ page: Page.optional() }),
  answer: z.array(SavedView),
});

export const createView = endpoint({
  operation: "POST /v1/views",
  summary: "Save the filters, order and columns of a page under a name",
  ...inPortal,
  status: 201,
  limits: { body: 16 * 1024 },
  body: NewSavedView,
  answer: SavedView,
  codes: ["view.limit-reached"],
});

export const updateView = endpoint({
  operation: "PATCH /v1/views/{id}",
  summary: "Change a saved view, or make it one's default",
  description:
    "Only whoever made a shared view, or a tenant.admin, changes it; everybody makes it their own default.",
  ...inPortal,
  limits: { body: 16 * 1024 },
  body: SavedViewChange,
  answer: SavedView,
  codes: ["view.not-found", "view.of-other", "view.limit-reached"],
});

export const deleteView = endpoint({
  operation: "DELETE /v1/views/{id}",
  summary: "Delete a saved view",
  ...inPortal,
  status: 204,
  codes: ["view.not-found", "view.of-other"],
});
