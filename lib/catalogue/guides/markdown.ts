import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";
import { textOf } from "./guide";
import { findGuide, guides } from "./parse";

/** The guide named by the last segment of the request's path, as Markdown. Throws 404. */
export function guideAsMarkdown(request: Request): string {
  const { pathname } = new URL(request.url);
  const guide = findGuide(pathname.slice(pathname.lastIndexOf("/") + 1));
  if (!guide)
    throw new ApiError("request.not-found", `There is nothing at ${pathname.slice(0, 100)}.`);
  return guide.markdown;
}

const link = (title: string, path: string, about: string) =>
  `- [${title}](${publicUrl()}${path}): ${about}`;

/** An overview of the documentation for language models (llmstxt.org). */
export function llmsText(): string {
  return [
    "# Gatehouse",
    "",
    "> Access and management for a multi-tenant commerce platform: sessions, API keys, users and roles, sites, customers, audit trail and metrics over one HTTP API.",
    "",
    "Every request names its tenant in X-Service-Tenant and carries one credential. Errors have a code of a closed list. /v1 only grows.",
    "",
    "## Guides",
    "",
    ...guides().map(({ name, title, lead }) => link(title, `/docs/markdown/${name}`, textOf(lead))),
    "",
    "## Reference",
    "",
    link("OpenAPI 3.1", "/openapi.json", "every operation, schema and error code"),
    link("Errors", "/docs/errors", "every error code with what to do"),
    link("Permissions", "/docs/permissions", "what each role permits"),
    link("Changelog", "/docs/changelog.json", "what was added to the interface, and when"),
    "",
  ].join("\n");
}
