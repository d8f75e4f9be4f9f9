import type { DocsGroup } from "@/components/docs/docs-navigation";
import { textOf } from "@/lib/catalogue/guides/guide";
import { guides } from "@/lib/catalogue/guides/parse";

const reference: DocsGroup = {
  title: "Reference",
  links: [
    { href: "/docs", label: "Operations" },
    { href: "/docs/events", label: "Event types" },
    { href: "/docs/permissions", label: "Permissions" },
    { href: "/docs/errors", label: "Errors" },
    { href: "/docs/changelog", label: "Changelog" },
    { href: "/openapi.json", label: "OpenAPI" },
    { href: "/docs/collection.json", label: "Postman collection" },
  ],
};

/** Every page of the documentation except those of single operations and errors. */
export function docsNavigation(): DocsGroup[] {
  const groups = new Map<string, DocsGroup["links"]>();
  for (const { group, name, title } of guides())
    groups.set(group, [
      ...(groups.get(group) ?? []),
      { href: `/docs/guides/${name}`, label: title },
    ]);
  return [...[...groups].map(([title, links]) => ({ title, links })), reference];
}

/** The guides to read first. */
export const guideSummaries = () =>
  guides()
    .slice(0, 3)
    .map(({ name, title, lead }) => ({ name, title, lead: textOf(lead) }));
