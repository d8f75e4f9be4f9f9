import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";
import { users } from "./users";

/** A person's second factors. Rows of the home tenant, as the password. */
export const secondFactors = pgTable(
  "second_factors",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    factorId: codePointText("factor_id").notNull(),
    kind: text("kind", { enum: ["totp", "passkey"] }).notNull(),
    name: text("name").notNull(),
    /** For an app, the shared secret, sealed under SECRET_KEY; for a passkey, its public key as COSE, which is not secret. */
    secret: bytes("secret").notNull(),
    /** The newest 30-second step whose code was used: codes of it and of earlier ones are rejected. */
    lastStep: integer("last_step").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    /** Null until a code confirmed that the person has the secret: the factor is not used before. */
    confirmedAt: instant("confirmed_at"),
    lastUsedAt: instant("last_used_at"),
    /** The authenticator's id of the passkey. This and the following columns are for passkeys only. */
    credentialId: bytes("credential_id"),
    /** The user handle that the authenticator stores: random, and different for each passkey. */
    userHandle: bytes("user_handle"),
    /** The host that it was created for; browsers offer it on no other. */
    rpId: text("rp_id"),
    /** How the browser reaches the authenticator, separated by spaces: a hint only. */
    transports: text("transports"),
    /** The highest signature counter received; 0 for synced passkeys. */
    signCount: bigint("sign_count", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("second_factors_credential_unique").on(table.tenantId, table.credentialId),
    primaryKey({
      name: "second_factors_pk",
      columns: [table.tenantId, table.userId, table.factorId],
    }),
    references("second_factors_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** The remaining recovery codes of a person. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    /** The key of the hashes, sealed under SECRET_KEY: without it, codes of 50 bits could be brute-forced. */
    hashKey: bytes("hash_key").notNull(),
    /** HMAC-SHA-256 of each unused code, in hexadecimal. */
    codeHashes: text("code_hashes").array().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "recovery_codes_pk", columns: [table.tenantId, table.userId] }),
    references("recovery_codes_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** Sign-ins with a correct password that wait for the second factor. Rows of the tenant of the sign-in. */
export const signInChallenges = pgTable(
  "sign_in_challenges",
  {
    tenantId: codePointText("tenant_id").notNull(),
    challengeId: codePointText("challenge_id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    userId: codePointText("user_id").notNull(),
    homeTenantId: codePointText("home_tenant_id").notNull(),
    /** The next step: a code, or the set-up of the second factor that the tenant requires. */
    purpose: text("purpose", { enum: ["code", "set-up"] })
      .notNull()
      .default("code"),
    /** The site of the sign-in, "" if there is none. */
    siteId: codePointText("site_id").notNull(),
    /** The network from which the password was sent: the code must be sent from it too. */
    network: text("network").notNull(),
    /** The home row's credential epoch, read with the password: the challenge is void once that one is higher. */
    credentialEpoch: integer("credential_epoch").notNull(),
    /** How many codes were tried. */
    tries: integer("tries").notNull().default(0),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "sign_in_challenges_pk", columns: [table.tenantId, table.challengeId] }),
    uniqueIndex("sign_in_challenges_hash_unique").on(table.tenantId, table.tokenHash),
    index("sign_in_challenges_user_index").on(table.tenantId, table.userId),
    references("sign_in_challenges_user_fk", table, users, "tenantId", "userId").onDelete(
      "cascade",
    ),
  ],
);

/** Answered passkey challenges: each is valid once. They contain their expiry and binding, so no row is stored before the answer. */
export const usedChallenges = pgTable(
  "used_challenges",
  {
    tenantId: codePointText("tenant_id").notNull(),
    challengeHash: bytes("challenge_hash").notNull(),
    /** From then on the challenge is rejected as expired. */
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "used_challenges_pk", columns: [table.tenantId, table.challengeHash] }),
    references("used_challenges_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** The number of wrong codes of a person, counted before each attempt across all processes. Rows of the home tenant. */
export const codeFailures = pgTable(
  "code_failures",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    /** The hash of a network where the person proved a second factor before; "" for all other networks together. */
    scope: text("scope").notNull(),
    failures: integer("failures").notNull(),
    /** The time of the last one in milliseconds since 1970. */
    failedAt: bigint("failed_at", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({
      name: "code_failures_pk",
      columns: [table.tenantId, table.userId, table.scope],
    }),
    references("code_failures_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);
