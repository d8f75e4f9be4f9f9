import { parseSync, Visitor } from "oxc-parser";

/** Which files have statements on a table; any other calls a function of the owner. lib/database has statements on all tenants. */
const access = {
  credentials: "lib/access/credential-store.ts",
  credentialBatch: "lib/access/credential-batch.ts",
  keyRates: "lib/access/key-rates.ts",
  endSessions: "lib/access/end-sessions.ts",
  stepUp: "lib/access/step-up.ts",
  keys: "lib/access/key-descriptions.ts",
  lastUsed: "lib/access/last-used.ts",
  revocations: "lib/access/token-revocations.ts",
  previousUses: "lib/access/previous-uses.ts",
  sites: "lib/access/sites.ts",
  shares: "lib/access/preview-shares.ts",
  versions: "lib/access/access-versions.ts",
};
const counting = "lib/features/quotas/quotas.ts";
const holders = "lib/catalogue/permission-holders.ts";
const features = (feature: string, ...files: string[]) =>
  files.map((file) => `lib/features/${feature}/${file}.ts`);

export const tableOwners: Record<string, readonly string[]> = {
  alert_entries: [...features("alerts", "rows")],
  alerts: [...features("alerts", "due-rows", "rows"), counting],
  api_keys: [
    ...features("api-keys", "rows", "admin-list", "service"),
    access.credentials,
    access.credentialBatch,
    access.keyRates,
    access.keys,
    access.lastUsed,
    access.previousUses,
    counting,
    "lib/setup/demo/keys.ts",
  ],
  audit_checkpoints: [...features("audit", "checkpoints", "sign-anew")],
  audit_events: [
    ...features(
      "audit",
      "chain-verifier",
      "checkpoints",
      "entries-about",
      "entries-after",
      "entries-between",
      "erase",
      "list",
      "service",
      "verify-trail",
    ),
    ...features("events", "rows"),
    ...features("verification", "revocations"),
  ],
  audit_heads: [...features("audit", "heads", "sign-anew", "sign-heads")],
  // The feed reads the counters and both of its sources in one statement: they must be of one moment.
  audit_streams: [...features("audit-streams", "lease-rows", "rows"), counting],
  chart_markers: [...features("markers", "rows")],
  connections: [...features("connections", "rows")],
  consumer_endings: [access.revocations, ...features("verification", "revocations")],
  // The feed of events reads the trail and this in one statement: they must be of one moment.
  customer_activity: [
    ...features("customers", "activity", "activity-queries"),
    ...features("events", "rows"),
  ],
  customer_emails: [...features("customers", "customer-queries", "insert-many", "profile-rows")],
  customer_families: [
    ...features("customers", "activity-queries", "refresh", "token-families"),
    "lib/setup/fixtures/customers.ts",
  ],
  customer_import_chunks: [...features("customers", "imports/rows")],
  customer_import_results: [...features("customers", "imports/result-rows")],
  customer_imports: [...features("customers", "imports/rows")],
  customer_password_tokens: [...features("customers", "password-tokens"), counting],
  customer_sites: features(
    "customers",
    "customer-queries",
    "insert-many",
    "login",
    "membership",
    "own-profile",
    "password-tokens",
    "registration",
  ),
  customers: [
    ...features(
      "customers",
      "customer-admin",
      "customer-queries",
      "erase",
      "insert-many",
      "login",
      "membership",
      "own-profile",
      "password-tokens",
      "passwords",
      "profile-rows",
      "refresh",
      "registration",
    ),
    counting,
    "lib/setup/fixtures/customers.ts",
  ],
  default_views: [...features("views", "rows")],
  email_confirmations: [...features("users", "email-confirmation-rows")],
  identities: [...features("connections", "identity-rows")],
  idempotent_answers: ["lib/http/idempotent-response-rows.ts"],
  key_hand_offs: features("api-keys", "hand-offs/rows"),
  known_networks: ["lib/access/known-networks.ts"],
  mails: [...features("mail", "rows")],
  memberships: [...features("users", "membership-rows")],
  metric_batches: [
    ...features("metrics", "demo", "events", "import-marks", "metadata", "old-records", "write"),
  ],
  metric_series: [
    ...features("metrics", "last-calls", "metadata", "old-records", "read", "rooms", "write"),
  ],
  metric_tails: [...features("metrics", "compaction", "read", "write")],
  notice_dismissals: [...features("notices", "notices")],
  password_links: [...features("users", "password-link-rows"), counting],
  mailed_links: [...features("users", "password-link-rows"), counting],
  preview_configurations: [
    ...features(
      "previews",
      "create",
      "change-stages",
      "find",
      "list",
      "sample",
      "states",
      "storage",
      "write",
    ),
    access.shares,
    counting,
  ],
  preview_revisions: [
    ...features("previews", "change-stages", "find", "list", "revision", "storage", "write"),
    counting,
  ],
  preview_comments: [...features("previews", "comments/rows")],
  preview_shares: [...features("previews", "shares/rows"), access.shares],
  preview_releases: [...features("previews", "releases/rows"), counting],
  previous_secret_uses: [...features("api-keys", "previous-use-rows"), access.previousUses],
  used_challenges: features("second-factors", "passkey-rows"),
  code_failures: features("second-factors", "code-failure-rows"),
  recovery_codes: [...features("second-factors", "rows")],
  refused_requests: [...features("request-log", "service", "write")],
  saved_views: [...features("views", "rows")],
  role_assignments: [...features("users", "rows", "last-admin", "list"), holders],
  second_factors: [
    ...features("second-factors", "rows", "passkey-rows"),
    "lib/features/users/login-candidate.ts",
    access.stepUp,
  ],
  sessions: [
    ...features("sessions", "rows"),
    access.credentials,
    access.credentialBatch,
    access.endSessions,
    access.lastUsed,
    access.stepUp,
  ],
  sign_in_challenges: [...features("sessions", "challenge-rows")],
  sites: [
    ...features("tenants", "create", "sites"),
    ...features("users", "login-candidate", "role-assignments"),
    access.credentials,
    access.sites,
    counting,
  ],
  tenant_quotas: [...features("quotas", "daily", "quotas", "service")],
  tenants: [
    ...features("tenants", "create", "policy", "service", "tenants"),
    ...features("audit", "service", "sign-heads", "verify-trail"),
    ...features("verification", "revocations"),
    ...features("customers", "activity", "refresh"),
    ...features("quotas", "quotas", "service"),
    ...features("users", "membership-rows"),
    ...features("audit-streams", "rows"),
    ...features("webhooks", "rows"),
    // One statement takes the request of a reset, whether or not there are such a tenant and login.
    ...features("mail", "rows"),
    access.versions,
    access.credentials,
    access.sites,
    access.revocations,
  ],
  used_nonces: [...features("connections", "identity-rows")],
  users: [
    ...features(
      "users",
      "rows",
      "membership-rows",
      "password-link-rows",
      "last-admin",
      "list",
      "login-candidate",
      "service",
    ),
    access.credentials,
    access.endSessions,
    holders,
    "lib/setup/seed.ts",
    counting,
    "lib/setup/demo/keys.ts",
    "lib/setup/fixtures/users.ts",
  ],
  webhook_deliveries: [...features("webhooks", "delivery-log", "delivery-rows")],
  webhooks: [...features("webhooks", "delivery-rows", "lease-rows", "rows"), counting],
};

const tableName = Object.keys(tableOwners).join("|");
const inSql = new RegExp(`\\b(?:from|join|into|update|only|table)\\s+(${tableName})\\b`, "g");
const toTableName = (object: string) =>
  object.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The tables that a file names: by their objects (types are free) and in the texts of its statements. */
export function tablesNamed(file: string, source: string): Set<string> {
  const found = new Set<string>();
  const { program, module } = parseSync(file, source);
  for (const { moduleRequest, entries } of module.staticImports) {
    if (!/\/database\/schema\/[\w-]+$/.test(moduleRequest.value)) continue;
    for (const { importName, isType } of entries) {
      const table = toTableName(importName.name ?? "");
      if (!isType && table in tableOwners) found.add(table);
    }
  }
  const read = (text: unknown) => {
    if (typeof text !== "string") return;
    for (const [, table] of text.matchAll(inSql)) found.add(table ?? "");
  };
  new Visitor({
    TemplateElement(node) {
      read(node.value.cooked);
    },
    Literal(node) {
      read(node.value);
    },
  }).visit(program);
  return found;
}

/** Each table that a file names and does not own, as "file: table". Tests and test support may name any. */
export function foreignTables(file: string, source: string): string[] {
  if (/\.test\.ts$|(^|\/)testing\/|^lib\/database\//.test(file)) return [];
  return [...tablesNamed(file, source)]
    .filter((table) => !tableOwners[table]?.includes(file))
    .map((table) => `${file}: ${table} belongs to ${tableOwners[table]?.[0]}`);
}
