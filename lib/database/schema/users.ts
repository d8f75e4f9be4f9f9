import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { Preferences } from "@/lib/protocol/documents/preferences";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** The administrators who may always sign in with password and second factor, whatever the policy. Rows of their home tenant. */
export const emergencyAdministrators = pgTable(
  "emergency_administrators",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    createdAt: instant("created_at").notNull(),
    /** The last sign-in that only an emergency administrator was allowed. */
    lastUsedAt: instant("last_used_at"),
  },
  (table) => [
    primaryKey({
      name: "emergency_administrators_pk",
      columns: [table.tenantId, table.userId],
    }),
    references("emergency_administrators_user_fk", table, users, "tenantId", "userId").onDelete(
      "cascade",
    ),
  ],
);

/**
 * Everyone who has a login in a tenant. A person's own row is the one in the home tenant (home_tenant_id = tenant_id);
 * a row elsewhere is a membership: its login and lock are that tenant's, the name and e-mail are copies for
 * display, and password and state are empty because only the home tenant stores and changes them.
 */
export const users = pgTable(
  "users",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    homeTenantId: codePointText("home_tenant_id").notNull(),
    kind: text("kind", { enum: ["person", "service"] }).notNull(),
    state: text("state", { enum: ["active", "invited", "deactivated"] }).notNull(),
    login: codePointText("login").notNull(),
    /** The login in lower case (computed in TypeScript, the same on every server), which is unique. */
    loginKey: codePointText("login_key").notNull(),
    name: codePointText("name").notNull(),
    emailAddress: codePointText("email_address").notNull(),
    /** login, name and e-mail address in lower case: searched by the users list. */
    searchText: text("search_text").notNull(),
    registeredAt: instant("registered_at").notNull(),
    isLocked: boolean("is_locked").notNull(),
    lockReason: text("lock_reason"),
    lockedUntil: instant("locked_until"),
    isSystem: boolean("is_system").notNull(),
    passwordHash: text("password_hash"),
    /** Set for a one-time password: it must be changed at the first sign-in, and expires at passwordExpiresAt. */
    mustChangePassword: boolean("must_change_password").notNull(),
    passwordExpiresAt: instant("password_expires_at"),
    /** On the home row: sessions opened under a lower epoch are rejected in every tenant. Raised to end all of them at once. */
    credentialEpoch: integer("credential_epoch").notNull().default(0),
    lastLoginAt: instant("last_login_at"),
    /**
     * On the home row: the e-mail address that the owner used (set, confirmed by a mailed link, or had at the last sign-in), the one
     * confirmed by a mailed link, and the one to which a confirmation link was sent. Null in rows written before the columns existed.
     */
    usedEmail: text("used_email"),
    confirmedEmail: text("confirmed_email"),
    askedEmail: text("asked_email"),
    /**
     * The roles as one text, "site role" by "site role", written with role_assignments: lists and credentials read flat rows. A role
     * with an end is "site role@milliseconds", which earlier releases do not accept as a known role.
     */
    grants: text("grants").notNull().default(""),
    preferences: jsonb("preferences").$type<Preferences>().notNull(),
    /** Set once name, login and e-mail address were replaced by the id; permanent. */
    erasedAt: instant("erased_at"),
  },
  (table) => [
    primaryKey({ name: "users_pk", columns: [table.tenantId, table.userId] }),
    uniqueIndex("users_login_key_unique").on(table.tenantId, table.loginKey),
    index("users_login_index").on(table.tenantId, table.login),
    // In the order of the list, so that a page is found without reading other users.
    index("users_name_index").on(table.tenantId, table.name, table.userId),
    index("users_email_index").on(table.tenantId, table.emailAddress, table.userId),
    index("users_registered_index").on(table.tenantId, table.registeredAt, table.userId),
    references("users_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** site_id is "" for a role in the whole tenant: a primary key must not be null. */
export const roleAssignments = pgTable(
  "role_assignments",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    roleId: codePointText("role_id").notNull(),
    /** How it was granted: by an administrator, by a group of an identity provider, or both. A group's roles follow its changes. */
    heldBy: text("held_by", { enum: ["hand", "group", "both"] })
      .notNull()
      .default("hand"),
    /** When a role that was granted by hand expires, whether or not the row still exists. Null: for good. */
    expiresAt: instant("expires_at"),
  },
  (table) => [
    primaryKey({
      name: "role_assignments_pk",
      columns: [table.tenantId, table.userId, table.siteId, table.roleId],
    }),
    index("role_assignments_role_index").on(table.tenantId, table.roleId),
    references("role_assignments_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** The changes of a user that void a link. */
const voidCauses = ["roles", "lock", "state", "email", "password"] as const;

/**
 * Other tenants in which a person of this tenant may have a row, so that a lookup need not read every
 * tenant. Only a hint: the user's row in the other tenant decides whether the person is a member.
 */
export const memberships = pgTable(
  "memberships",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    memberTenantId: codePointText("member_tenant_id").notNull(),
    notedAt: instant("noted_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "memberships_pk",
      columns: [table.tenantId, table.userId, table.memberTenantId],
    }),
    references("memberships_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/**
 * The link that was mailed on a reset request; only the newest one of a user is valid. An administrator's link stays valid at the same
 * time, so that a stranger who knows a login cannot void it by a reset request. Void for the same causes.
 */
export const mailedLinks = pgTable(
  "mailed_links",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
    voidCause: text("void_cause", { enum: voidCauses }),
  },
  (table) => [
    primaryKey({ name: "mailed_links_pk", columns: [table.tenantId, table.userId] }),
    uniqueIndex("mailed_links_hash_unique").on(table.tenantId, table.tokenHash),
    references("mailed_links_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/**
 * The link that was mailed to the address in `asked_email`; only the newest one is valid. Opening it confirms that address. Deleted
 * when used and when the e-mail address changes.
 */
export const emailConfirmations = pgTable(
  "email_confirmations",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "email_confirmations_pk", columns: [table.tenantId, table.userId] }),
    uniqueIndex("email_confirmations_hash_unique").on(table.tenantId, table.tokenHash),
    references("email_confirmations_user_fk", table, users, "tenantId", "userId").onDelete(
      "cascade",
    ),
  ],
);

/**
 * A link that sets a password once; only the newest one of a user is valid. The issuer's rights are checked again when it
 * is redeemed. A change of the user's roles, lock, state, e-mail address or password sets voidCause.
 */
export const passwordLinks = pgTable(
  "password_links",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    purpose: text("purpose", { enum: ["invitation", "reset"] }).notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** The operation that issued the link: its checks apply again at redemption. Links without it cannot be redeemed. */
    issuedBy: text("issued_by", {
      enum: [
        "POST /v1/user/invitations",
        "POST /v1/user/{id}/password-reset",
        "POST /v1/user/password-resets",
        "POST /v1/tenants",
      ],
    }),
    /** The principal whose rights apply: a user, or an API key of that user, of this tenant (of `platform` for POST /v1/tenants). */
    issuerTenantId: codePointText("issuer_tenant_id"),
    issuerUserId: codePointText("issuer_user_id"),
    issuerKeyId: codePointText("issuer_key_id"),
    /** The X-Service-Site of the issuing request; empty if there was none. */
    issuerSiteId: codePointText("issuer_site_id"),
    /** The credential epoch of the session that issued it: once it rises, the link is void. Null for an API key and for older links. */
    issuerEpoch: integer("issuer_epoch"),
    voidCause: text("void_cause", { enum: voidCauses }),
  },
  (table) => [
    primaryKey({ name: "password_links_pk", columns: [table.tenantId, table.userId] }),
    uniqueIndex("password_links_hash_unique").on(table.tenantId, table.tokenHash),
    references("password_links_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** Notices that a user dismissed; those older than a month are deleted when the next one is dismissed. */
export const noticeDismissals = pgTable(
  "notice_dismissals",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    /** The id of the audit entry. */
    noticeId: codePointText("notice_id").notNull(),
    dismissedAt: instant("dismissed_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "notice_dismissals_pk",
      columns: [table.tenantId, table.userId, table.noticeId],
    }),
    references("notice_dismissals_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);
