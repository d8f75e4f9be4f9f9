import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { marked, type Token, type Tokens } from "marked";
import { findReference } from "@/lib/catalogue/operations";
import { projectRoot } from "@/lib/database/data-dir";
import { perProcess } from "@/lib/protocol/per-process";
import type { Block, Guide, Inline, Section } from "./guide";

/** The order of the navigation. Guides that are not listed are last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  "Get started": ["quick-start", "authentication", "client", "tenants-and-sites", "sandbox"],
  "Users and keys": [
    "roles-and-permissions",
    "single-sign-on",
    "provisioning",
    "api-keys",
    "verification",
    "protect-a-service",
    "administration",
  ],
  Features: ["customers", "previews", "metrics", "alerts", "events", "webhooks", "audit-streams"],
  "Requests and responses": [
    "errors-and-retries",
    "pagination-and-filtering",
    "text",
    "idempotency",
    "conditional-requests",
    "rate-limits",
    "limits-and-quotas",
  ],
  "Versions and operation": ["versions", "deprecations", "self-hosting"],
};

const order = Object.values(groups).flat();
const lastGroup = "More";

const rank = ({ name }: Guide) => {
  const index = order.indexOf(name);
  return index === -1 ? order.length : index;
};

export const inNavigationOrder = (guides: Guide[]): Guide[] =>
  guides.toSorted((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));

const groupOf = (name: string) =>
  Object.entries(groups).find(([, names]) => names.includes(name))?.[0] ?? lastGroup;

/** "API keys: rotate" becomes "api-keys-rotate". */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** "errors.md#codes" is "/docs/guides/errors#codes" on the site. */
const addressOf = (href: string) => href.replace(/^([a-z-]+)\.md(?=#|$)/, "/docs/guides/$1");

const isNested = (token: Token): token is Token & { tokens: Token[] } =>
  "tokens" in token && Array.isArray(token.tokens);

/** Operations and error codes link to their pages. */
function toCode(text: string): Inline {
  const href = findReference(text);
  const code: Inline = { type: "code", text };
  return href === undefined ? code : { type: "link", href, children: [code] };
}

function toInline(token: Token): Inline[] {
  if (token.type === "codespan") return [toCode(token.text)];
  if (!isNested(token)) return [{ type: "text", text: "text" in token ? token.text : token.raw }];
  const children = token.tokens.flatMap(toInline);
  if (token.type === "link") return [{ type: "link", href: addressOf(token.href), children }];
  return token.type === "strong" || token.type === "em"
    ? [{ type: token.type, children }]
    : children;
}

const toCells = (cells: Tokens.TableCell[]) => cells.map(({ tokens }) => tokens.flatMap(toInline));

function toBlock(token: Token): Block[] {
  switch (token.type) {
    case "paragraph":
      return [{ type: "paragraph", children: toInline(token) }];
    case "list": {
      const { ordered, items } = token as Tokens.List;
      return [{ type: "list", isOrdered: ordered, items: items.map((item) => toInline(item)) }];
    }
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [{ type: "table", head: toCells(header), rows: rows.map(toCells) }];
    }
    case "code":
      return [{ type: "code", language: token.lang ?? "", text: token.text }];
    case "space":
      return [];
    default:
      throw new Error(`A guide cannot hold a ${token.type}: ${token.raw.slice(0, 80)}`);
  }
}

function toSections(tokens: Token[]): Section[] {
  const sections: Section[] = [{ id: "", title: "", blocks: [] }];
  for (const token of tokens) {
    if (token.type === "heading")
      sections.push({ id: anchorOf(token.text), title: token.text, blocks: [] });
    else sections.at(-1)?.blocks.push(...toBlock(token));
  }
  return sections.filter(({ title, blocks }) => title !== "" || blocks.length > 0);
}

/** Parses a guide: a title, an introductory paragraph, then sections. Throws for a guide with another structure. */
export function parseGuide(name: string, source: string): Guide {
  const tokens = marked.lexer(source).filter(({ type }) => type !== "space");
  const [heading, lead, ...rest] = tokens;
  if (heading?.type !== "heading" || heading.depth !== 1 || lead?.type !== "paragraph")
    throw new Error(`The guide ${name} does not begin with a title and a paragraph.`);
  return {
    name,
    title: heading.text,
    lead: toInline(lead),
    group: groupOf(name),
    sections: toSections(rest),
    markdown: source.replace(/\]\(([a-z-]+)\.md(#[\w-]+)?\)/g, "](/docs/guides/$1$2)"),
  };
}

/** The file that the build writes and production reads. */
export const builtGuidesFile = () => join(projectRoot(), ".server", "guides.json");

const folder = () => join(projectRoot(), "docs", "guides");

/** Reads every guide from its source, in the order of the navigation. */
export function readGuideSources(): Guide[] {
  const files = readdirSync(folder()).filter((file) => file.endsWith(".md"));
  return inNavigationOrder(
    files.map((file) =>
      parseGuide(file.slice(0, -".md".length), readFileSync(join(folder(), file), "utf8")),
    ),
  );
}

const built = perProcess("guides", (): Guide[] =>
  JSON.parse(readFileSync(builtGuidesFile(), "utf8")),
);

/** The guides: in production from the build, with highlighted code; otherwise from the current sources. */
export const guides = (): Guide[] =>
  process.env.NODE_ENV === "production" ? built() : readGuideSources();

export const findGuide = (name: string): Guide | undefined =>
  guides().find((guide) => guide.name === name);
