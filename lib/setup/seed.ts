import { and, eq } from "drizzle-orm";
import { hashPassword } from "@/lib/access/hashing";
import { newOneTimePassword } from "@/lib/access/passwords";
import { hasTenants } from "@/lib/database/global";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { patiently } from "@/lib/database/patience";
import { users } from "@/lib/database/schema/schema";
import { actingAsSystem } from "@/lib/features/audit/service";
import { createTenant } from "@/lib/features/tenants/create";
import { createUser, type NewUser } from "@/lib/features/users/create";
import { log } from "@/lib/protocol/log";
import { setting } from "@/lib/protocol/settings";
import { createDemo } from "@/lib/setup/demo/tenant";

const oneTimeDays = 7;

/** The logins of the first users, for whom `npm run reset-password` works. */
export const administrators = { demo: "admin", platform: "system" } as const;

type FirstTenant = keyof typeof administrators;

function firstTenant(): FirstTenant {
  const isWanted = setting("DEMO") ? setting("DEMO") === "on" : !setting("DATABASE_URL");
  return isWanted ? "demo" : "platform";
}

/** Creates the tenant `platform` with its one system user and nothing else; false if it already exists. */
async function createPlatform(
  tx: Transaction,
  administrator: Pick<NewUser, "login" | "password">,
): Promise<boolean> {
  const acting = actingAsSystem("platform", "first-run");
  if (!(await createTenant(tx, acting, { name: "Platform", kind: "platform", sites: [] })))
    return false;
  const roles = { roleIds: ["tenant.admin"], sites: {} };
  await createUser(tx, acting, {
    ...administrator,
    name: "System administrator",
    emailAddress: "system@platform.invalid",
    isSystem: true,
    roles,
  });
  return true;
}

/** The message for an existing store: none, unless its administrator never signed in. */
async function reminder(): Promise<string[]> {
  for (const [tenantId, login] of Object.entries(administrators)) {
    const [found] = await db()
      .select({ lastLoginAt: users.lastLoginAt })
      .from(users)
      .where(and(eq(users.tenantId, tenantId), eq(users.loginKey, login)));
    if (found && found.lastLoginAt === null)
      return [
        `Nobody has signed in as "${login}" of the tenant "${tenantId}" yet. For a new one-time password: npm run reset-password`,
      ];
  }
  return [];
}

/** Returns no message instead of failing: the process is already serving. */
async function remind(): Promise<string[]> {
  try {
    return await patiently(reminder, { isEndless: true });
  } catch (error) {
    log().warn({ err: error }, "whether the administrator has signed in could not be read");
    return [];
  }
}

/** Whether this hash is the administrator's: a creation whose COMMIT got no response may have been stored. */
async function isPasswordOf(tenantId: FirstTenant, hash: string): Promise<boolean> {
  const [found] = await db()
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.loginKey, administrators[tenantId])));
  return found?.passwordHash === hash;
}

/**
 * Fills an empty store: demo data on the embedded store or with DEMO=on, else one system user. Returns the lines to show once: they
 * contain the administrator's one-time password, which is not stored and must not be logged. Waits indefinitely for an
 * unreachable store: the port is already open, and callers get 503.
 */
export async function firstRun({ url }: { url: string }): Promise<string[]> {
  if (await patiently(hasTenants, { isEndless: true })) return remind();
  const tenantId = firstTenant();
  const login = administrators[tenantId];
  const password = newOneTimePassword();
  const oneTimeUntil = new Date(Date.now() + oneTimeDays * 86_400_000);
  const hash = await hashPassword({ plane: "management", tenantId }, password);
  const administrator = { login, password: { hash, oneTimeUntil } };
  const create = tenantId === "demo" ? createDemo : createPlatform;
  const isCreatedHere = async () =>
    (await transaction((tx) => create(tx, administrator))) || isPasswordOf(tenantId, hash);
  if (!(await patiently(isCreatedHere, { isEndless: true }))) return [];
  return [
    "",
    `This store was empty. It now has the tenant "${tenantId}"${tenantId === "demo" ? ", with people to look at" : ""}.`,
    `  Sign in    ${url}/sign-in`,
    `  Tenant     ${tenantId}`,
    `  Login      ${login}`,
    `  Password   ${password}`,
    `The password is shown only here, is good until ${oneTimeUntil.toISOString().slice(0, 10)}, and must be changed at the first sign-in.`,
    "",
  ];
}
