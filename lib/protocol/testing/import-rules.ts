import { posix } from "node:path";
import { parseSync } from "oxc-parser";

/**
 * The import rules, as one table. The layers of lib, lowest first: a file imports from its own
 * layer and from lower ones.
 */
export const floors = [
  "protocol",
  "database",
  "access",
  "http",
  "features",
  "catalogue",
  "setup",
  "server",
] as const;

/** The features that a feature may import. The table has no cycle, which a test checks. */
export const featureUses: Record<string, readonly string[]> = {
  alerts: ["audit", "mail", "metrics", "quotas", "users"],
  audit: ["mail"],
  connections: ["audit", "events", "sessions", "users"],
  destinations: ["audit", "events", "quotas"],
  tenants: ["audit", "previews", "quotas", "users"],
  users: ["audit", "mail", "quotas"],
  sessions: ["audit", "tenants", "users"],
  "api-keys": ["audit", "metrics", "quotas", "tenants", "users"],
  customers: ["audit", "quotas", "tenants"],
  mail: ["events"],
  metrics: ["audit", "quotas", "tenants"],
  previews: ["audit", "quotas", "users"],
  quotas: ["audit"],
  events: [],
  verification: ["audit", "metrics"],
  views: ["audit", "metrics", "users"],
  "request-log": ["users"],
  portal: ["connections", "sessions"],
  notices: ["api-keys", "audit", "mail", "users"],
  privacy: [
    "api-keys",
    "audit",
    "connections",
    "metrics",
    "previews",
    "request-log",
    "sessions",
    "users",
    "views",
  ],
};

/** The modules of lib that the browser may run: independent of the store, of Zod and of Node. */
const browserModules = [
  /^lib\/catalogue\/client$/,
  /^lib\/features\/([^/]+\/){1,2}values$/,
  /^lib\/features\/audit\/sentences$/,
  /^lib\/features\/previews\/url-template$/,
  /^lib\/access\/(lifetimes|roles)$/,
  /^lib\/protocol\/(csv|curl|durations|time-zones)$/,
];

/** The modules whose types the browser may import. */
const browserTypes = [
  /^lib\/features\/([^/]+\/){1,2}([a-z-]+-)?contract$/,
  /^lib\/features\/metrics\/usage-summary$/,
  /^lib\/catalogue\/(access-contract|docs-search|guides\/guide)$/,
  /^lib\/protocol\/(documents\/[a-z-]+|permissions)$/,
];

const serverPackages = /^(pg|drizzle-orm|zod|jose|pino|@node-rs\/(argon2|bcrypt))(\/|$)/;
const browserPackages =
  /^(react|react-dom|next|next-auth|next-themes|nuqs|sonner|radix-ui|uqr|@tanstack\/.*)(\/|$)/;

/** One import of a file; `to` is a path from the root, or a package. */
interface Import {
  file: string;
  to: string;
  isType: boolean;
}

type Rule = (found: Import) => string | undefined;

const top = (path: string) => path.split("/")[0] ?? "";
const second = (path: string) => path.split("/")[1] ?? "";
const third = (path: string) => path.split("/")[2] ?? "";
const isTest = (path: string) => /\.test\.tsx?$|(^|\/)testing\//.test(path);
const layers = ["lib", "components", "app"];

const layersGoDown: Rule = ({ file, to }) =>
  layers.includes(top(file)) &&
  layers.includes(top(to)) &&
  layers.indexOf(top(to)) > layers.indexOf(top(file))
    ? "imports go app -> components -> lib, never back"
    : undefined;

const floorsGoDown: Rule = ({ file, to }) => {
  if (top(file) !== "lib" || top(to) !== "lib") return undefined;
  const [from, target] = [second(file), second(to)] as (typeof floors)[number][];
  if (from === undefined || target === undefined) return undefined;
  if (!floors.includes(target)) return `lib/${target} is no floor`;
  return floors.indexOf(target) > floors.indexOf(from)
    ? `lib/${from} stands below lib/${target}`
    : undefined;
};

const featuresAsDeclared: Rule = ({ file, to }) => {
  if (!file.startsWith("lib/features/") || !to.startsWith("lib/features/")) return undefined;
  const [from, target] = [third(file), third(to)];
  return from === target || featureUses[from]?.includes(target)
    ? undefined
    : `${from} does not use ${target}`;
};

const browserGetsTypes: Rule = ({ file, to, isType }) => {
  if (top(file) !== "components" || top(to) !== "lib") return undefined;
  if (browserModules.some((pattern) => pattern.test(to))) return undefined;
  if (!browserTypes.some((pattern) => pattern.test(to)))
    return "components know contract types, values.ts and the typed client";
  return isType ? undefined : "components import contracts as types only";
};

const noServerPackages: Rule = ({ file, to, isType }) =>
  (top(file) === "components" && serverPackages.test(to) && !isType) ||
  (top(file) === "app" && /^(pg|drizzle-orm)(\/|$)/.test(to))
    ? "the store and Zod stay in lib"
    : undefined;

const noBrowserPackages: Rule = ({ file, to }) =>
  top(file) === "lib" && !file.startsWith("lib/features/portal/") && browserPackages.test(to)
    ? "lib knows no React and nothing of Next, except lib/features/portal"
    : undefined;

const oneDrawsCharts: Rule = ({ file, to }) =>
  /^recharts(\/|$)/.test(to) && !file.startsWith("components/ui/chart/")
    ? "charts are drawn by components/ui/chart: data in, marks out"
    : undefined;

const pagesLeaveTables: Rule = ({ file, to }) =>
  top(file) === "app" && to.startsWith("lib/database/schema/")
    ? "only features and lib/access touch tables"
    : undefined;

const productLeavesTests: Rule = ({ to }) =>
  isTest(to) ? "the product imports nothing of its tests" : undefined;

const rules: Rule[] = [
  layersGoDown,
  floorsGoDown,
  featuresAsDeclared,
  browserGetsTypes,
  noServerPackages,
  noBrowserPackages,
  oneDrawsCharts,
  pagesLeaveTables,
  productLeavesTests,
];

function pathOf(file: string, specifier: string): string {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (!specifier.startsWith(".")) return specifier;
  return posix.normalize(posix.join(posix.dirname(file), specifier));
}

/** Every import of a source text, static, dynamic and re-exporting. */
function importsOf(file: string, source: string): Import[] {
  const { module } = parseSync(file, source);
  const fixed = module.staticImports.map(({ moduleRequest, entries }) => ({
    file,
    to: pathOf(file, moduleRequest.value),
    isType: entries.length > 0 && entries.every(({ isType }) => isType),
  }));
  const again = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ file, to: pathOf(file, moduleRequest.value), isType }] : [],
    ),
  );
  const late = module.dynamicImports.flatMap(({ moduleRequest }) => {
    const specifier = /^["'](.+)["']$/.exec(
      source.slice(moduleRequest.start, moduleRequest.end),
    )?.[1];
    return specifier === undefined ? [] : [{ file, to: pathOf(file, specifier), isType: false }];
  });
  return [...fixed, ...again, ...late];
}

/** The forbidden imports of a file, each as "file -> import: reason". Tests may import anything. */
export function forbiddenImports(file: string, source: string): string[] {
  if (isTest(file)) return [];
  return importsOf(file, source).flatMap((found) =>
    rules.flatMap((rule) => {
      const reason = rule(found);
      return reason === undefined ? [] : [`${file} -> ${found.to}: ${reason}`];
    }),
  );
}
