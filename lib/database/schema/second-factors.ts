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

/** What a person proves beside the password. Rows of the home tenant, as the password is. */
export const secondFactors = pgTable(
  "second_factors",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    factorId: codePointText("factor_id").notNull(),
    kind: text("kind", { enum: ["totp", "passkey"] }).notNull(),
    name: text("name").notNull(),
    /** Of an app the shared secret, sealed under SECRET_KEY; of a passkey its public key as COSE, which is no secret. */
    secret: bytes("secret").notNull(),
    /** The newest 30-second step whose code was used: no code of it or of an earlier one counts again. */
    lastStep: integer("last_step").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    /** Null until a code confirmed that the person has the secret: it counts for nothing before. */
    confirmedAt: instant("confirmed_at"),
    lastUsedAt: instant("last_used_at"),
    /** Of passkeys only, as the rest: the authenticator's name for it. */
    credentialId: bytes("credential_id"),
    /** What the authenticator keeps for the person: random, and only of this passkey. */
    userHandle: bytes("user_handle"),
    /** The host that it was made for; browsers offer it at no other. */
    rpId: text("rp_id"),
    /** How the browser reaches the authenticator, separated by spaces: a hint only. */
    transports: text("transports"),
    /** The highest count of signatures that was seen; synced passkeys stay at 0. */
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

/** The recovery codes that a person has left. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    /** The key of the hashes, sealed under SECRET_KEY: without it 50 bits could be found by trying. */
    hashKey: bytes("hash_key").notNull(),
    /** HMAC-SHA-256 of each code that was not used, in hexadecimal. */
    codeHashes: text("code_hashes").array().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "recovery_codes_pk", columns: [table.tenantId, table.userId] }),
    references("recovery_codes_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** Sign-ins whose password was right and that wait for the second factor. Rows of the tenant that is signed in to. */
export const signInChallenges = pgTable(
  "sign_in_challenges",
  {
    tenantId: codePointText("tenant_id").notNull(),
    challengeId: codePointText("challenge_id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    userId: codePointText("user_id").notNull(),
    homeTenantId: codePointText("home_tenant_id").notNull(),
    /** What it is good for: a code, or the set-up of the second factor that the tenant requires. */
    purpose: text("purpose", { enum: ["code", "set-up"] })
      .notNull()
      .default("code"),
    /** The site of the sign-in, "" when none was named. */
    siteId: codePointText("site_id").notNull(),
    /** The network that the password came from: the code has to come from it too. */
    network: text("network").notNull(),
    /** The home row's, read with the password: the challenge is void once that one is higher. */
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

/** Challenges of passkeys that were answered: each counts once. They carry their end and binding themselves; no row waits for an answer. */
export const usedChallenges = pgTable(
  "used_challenges",
  {
    tenantId: codePointText("tenant_id").notNull(),
    challengeHash: bytes("challenge_hash").notNull(),
    /** It is rejected from then on as too old. */
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "used_challenges_pk", columns: [table.tenantId, table.challengeHash] }),
    references("used_challenges_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** How many codes of a person were wrong, counted before each try for all processes. Rows of the home tenant. */
export const codeFailures = pgTable(
  "code_failures",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    /** A network where the person proved a second factor before, as a hash; "" is all others together. */
    scope: text("scope").notNull(),
    failures: integer("failures").notNull(),
    /** Milliseconds since 1970 of the last one. */
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
