import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type {
  AuditActor,
  AuditChanges,
  AuditTarget,
  Personal,
} from "@/lib/protocol/documents/audit-entry";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** Actions that a person sees as a notice on the home page if they concern their account or keys. */
export const noticeActions = [
  "user.password-changed",
  "user.password-reset",
  "user.password-reset-confirmed",
  "user.password-link-made",
  "user.updated",
  "user.roles-changed",
  "user.locked",
  "user.unlocked",
  "user.deactivated",
  "user.reactivated",
  "user.sessions-ended",
  "api-key.created",
  "api-key.updated",
  "api-key.rotated",
  "api-key.handed-over",
  "api-key.resumed",
  "api-key.revoked",
  "api-key.suspended",
  "api-key.leak-reported",
  "api-key.hand-off-created",
  "api-key.hand-off-opened",
  "user.second-factor-added",
  "user.second-factor-removed",
  "user.second-factors-reset",
  "user.recovery-codes-created",
  "user.recovery-code-used",
  "user.passkey-count-fell",
  "user.identity-linked",
  "tenant.emergency-sign-in",
] as const;

const isOneOf = (actions: readonly string[]) =>
  `action in (${actions.map((action) => `'${action}'`).join(", ")})`;

/** Actions that earlier releases read by separate indexes, which the next release drops. */
const ownNoticeActions = noticeActions.filter((action) => !/identity|emergency/.test(action));
const personNoticeActions = ownNoticeActions.filter((action) => !action.includes("passkey"));
const accountNoticeActions = personNoticeActions.filter(
  (action) => !/second-factor|recovery-code/.test(action),
);
const formerNoticeActions = accountNoticeActions.filter((action) => !action.includes("hand-off"));

/** Conditions of the partial indexes, which statements must repeat for PostgreSQL to use the indexes. */
export const partialIndexes = {
  notices: isOneOf(noticeActions),
  signIns: "action = 'session.created'",
  ofSites: "target->>'type' in ('site', 'alert', 'preview', 'release')",
} as const;

/** The site that an entry is about, the same as `siteOf()` of the events: indexed, and statements must repeat it to use the index. */
export const siteOfEntry =
  "(case target->>'type' when 'site' then target->>'id' when 'alert' then changes->'site'->>'after' else split_part(target->>'name', '/', 1) end)";

/** Append-only. Each entry's hash covers the one before it, so a changed byte or a missing entry is detectable. */
export const auditEvents = pgTable(
  "audit_events",
  {
    tenantId: codePointText("tenant_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    auditId: codePointText("audit_id").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    actor: jsonb("actor").$type<AuditActor>().notNull(),
    action: codePointText("action").notNull(),
    target: jsonb("target").$type<AuditTarget>().notNull(),
    changes: jsonb("changes").$type<AuditChanges>().notNull(),
    requestId: text("request_id").notNull(),
    result: text("result", { enum: ["success", "failure"] }).notNull(),
    /** May be erased; the chain covers the salted hashes next to them. */
    address: text("address"),
    agent: text("agent"),
    salt: bytes("salt").notNull(),
    addressHash: bytes("address_hash").notNull(),
    agentHash: bytes("agent_hash").notNull(),
    previousHash: bytes("previous_hash").notNull(),
    hash: bytes("hash").notNull(),
    /** Salted hashes of the personal values in actor, target and changes, which may be erased. */
    personal: jsonb("personal").$type<Personal>(),
    /** The key of the MAC. Null, as `personal` and `mac`, in entries from before there were MACs. */
    keyId: text("key_id"),
    mac: bytes("mac"),
  },
  (table) => [
    primaryKey({ name: "audit_events_pk", columns: [table.tenantId, table.seq] }),
    uniqueIndex("audit_events_id_unique").on(table.tenantId, table.auditId),
    index("audit_events_action_index").on(table.tenantId, table.action, table.seq),
    index("audit_events_occurred_index").on(table.tenantId, table.occurredAt),
    index("audit_events_actor_index").on(table.tenantId, sql`(actor->>'id')`, table.seq),
    index("audit_events_actor_login_index").on(table.tenantId, sql`(actor->>'login')`, table.seq),
    index("audit_events_target_index").on(table.tenantId, sql`(target->>'id')`, table.seq),
    index("audit_events_notices_index")
      .on(table.tenantId, sql`(target->>'id')`, table.seq)
      .where(sql.raw(isOneOf(formerNoticeActions))),
    index("audit_events_account_notices_index")
      .on(table.tenantId, sql`(target->>'id')`, table.seq)
      .where(sql.raw(isOneOf(accountNoticeActions))),
    index("audit_events_person_notices_index")
      .on(table.tenantId, sql`(target->>'id')`, table.seq)
      .where(sql.raw(isOneOf(personNoticeActions))),
    index("audit_events_own_notices_index")
      .on(table.tenantId, sql`(target->>'id')`, table.seq)
      .where(sql.raw(isOneOf(ownNoticeActions))),
    index("audit_events_all_notices_index")
      .on(table.tenantId, sql`(target->>'id')`, table.seq)
      .where(sql.raw(partialIndexes.notices)),
    index("audit_events_sign_ins_index")
      .on(table.tenantId, sql`(actor->>'id')`, table.seq)
      .where(sql.raw(partialIndexes.signIns)),
    index("audit_events_site_index")
      .on(table.tenantId, sql.raw(siteOfEntry), table.action, table.seq)
      .where(sql.raw(partialIndexes.ofSites)),
    references("audit_events_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** Replaces the entries up to `seq` once they are deleted: signed, so that the rest of the chain can still be verified. */
export const auditCheckpoints = pgTable(
  "audit_checkpoints",
  {
    tenantId: codePointText("tenant_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    hash: bytes("hash").notNull(),
    mac: bytes("mac"),
    madeAt: instant("made_at").notNull(),
    /** The key that signed it; null for a MAC from before heads were signed. */
    kid: text("kid"),
    signature: bytes("signature").notNull(),
  },
  (table) => [
    primaryKey({ name: "audit_checkpoints_pk", columns: [table.tenantId, table.seq] }),
    references("audit_checkpoints_tenant_fk", table, tenants, "tenantId"),
  ],
);

/**
 * Signed statements of the end of each chain at a time: a copy elsewhere reveals later deletions and changes. An idle chain gets one
 * each day, so that the copy also reveals when signing ended.
 */
export const auditHeads = pgTable(
  "audit_heads",
  {
    tenantId: codePointText("tenant_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    hash: bytes("hash").notNull(),
    mac: bytes("mac"),
    signedAt: instant("signed_at").notNull(),
    kid: text("kid").notNull(),
    signature: bytes("signature").notNull(),
  },
  (table) => [
    primaryKey({
      name: "audit_heads_pk",
      columns: [table.tenantId, table.seq, table.signedAt],
    }),
    index("audit_heads_signed_index").on(table.tenantId, table.signedAt),
    references("audit_heads_tenant_fk", table, tenants, "tenantId"),
  ],
);
