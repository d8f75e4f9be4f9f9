import { getTableColumns, getTableName, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { db } from "@/lib/database/open";
import {
  apiKeys,
  emailConfirmations,
  mailedLinks,
  mails,
  memberships,
  passwordLinks,
  roleAssignments,
  sessions,
  sites,
  tenants,
  users,
} from "@/lib/database/schema/schema";
import { noteMember } from "@/lib/features/users/testing/erasure";
import { permissions } from "@/lib/protocol/permissions";
import {
  makeApiKey,
  makeSession,
  makeTenant,
  makeUser,
  type NewUser,
} from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

/** The tenants of a copy of the world: `A` is the home of every user but `bAdm`, `B` is the other one. */
export interface Copy {
  A: string;
  B: string;
}

/** A credential without its tenant: it is valid in every copy. */
export interface Credential {
  name: string;
  headers: Headers;
  tenant: keyof Copy;
}

export interface Subject {
  name: string;
  userId: string;
  login: string;
  /** The credential that measures the subject's permissions: a session, or an unrestricted key of a program. */
  credential: Credential;
}

/** The users of the fixtures, programs and keys, as the rows copied for each chain. */
export interface AccountWorld {
  origin: Copy;
  subjects: Subject[];
  /** Ids of keys, and the name of each one's owner. */
  keys: { apiKeyId: string; owner: string }[];
  /** Keys of programs that are restricted to some permissions: separate callers. */
  programs: (Credential & { owner: string })[];
}

const people: Record<string, NewUser> = {
  adm: { roleIds: ["tenant.admin"] },
  um: { roleIds: ["portal.users.mgmt"] },
  um1: { sites: { "a-one": ["portal.users.mgmt"] } },
  low: { roleIds: ["portal.default"] },
  ana: { roleIds: ["portal.analytics.mgmt"] },
  pim: { sites: { "a-one": ["portal.pim.mgmt"] } },
  care: { roleIds: ["portal.customers.mgmt"] },
  dual: { roleIds: ["portal.users.mgmt"] },
  boss: { roleIds: ["portal.default"] },
};
/** The roles of A's users in B. */
const inB: Record<string, string[]> = { dual: ["portal.default"], boss: ["tenant.admin"] };
const robots: Record<string, NewUser> = {
  careRobot: { roleIds: ["portal.customers.mgmt"] },
  admRobot: { roleIds: ["tenant.admin"] },
  weakRobot: { roleIds: ["portal.default"] },
};

const withoutTenant = ({ "X-Service-Tenant": _, ...headers }: Headers): Headers => headers;

async function makeSubject(origin: Copy, name: string, given: NewUser): Promise<Subject> {
  const row = { emailAddress: `${name}@corp.dev`, usedEmail: `${name}@corp.dev` };
  const { userId, login } = await makeUser(origin.A, { ...given, login: name, row });
  const { headers } = await makeSession(origin.A, userId);
  if (inB[name]) {
    await makeUser(origin.B, {
      login: name,
      roleIds: inB[name],
      row: { userId, homeTenantId: origin.A },
    });
    await noteMember({ tenantId: origin.A, userId }, origin.B);
  }
  const credential = { name, headers: withoutTenant(headers), tenant: "A" as const };
  return { name, userId, login, credential };
}

async function makeRobot({ A }: Copy, name: string, given: NewUser) {
  const { userId, login } = await makeUser(A, { ...given, login: name, row: { kind: "service" } });
  const { headers, apiKeyId } = await makeApiKey(A, userId, {
    ...{ allowedAddresses: ["127.0.0.0/8"], rateLimit: 10_000, rateWindowSeconds: 60 },
  });
  const credential = { name, headers: withoutTenant(headers), tenant: "A" as const };
  return { subject: { name, userId, login, credential }, apiKeyId };
}

export async function makeAccountWorld(): Promise<AccountWorld> {
  const A = await makeTenant({ siteIds: ["a-one", "a-two"] });
  const B = await makeTenant({ siteIds: ["b-one"] });
  const world: AccountWorld = { origin: { A, B }, subjects: [], keys: [], programs: [] };
  for (const [name, given] of Object.entries(people)) {
    const subject = await makeSubject(world.origin, name, given);
    world.subjects.push(subject);
    const { apiKeyId } = await makeApiKey(A, subject.userId);
    world.keys.push({ apiKeyId, owner: name });
  }
  for (const [name, given] of Object.entries(robots)) {
    const { subject, apiKeyId } = await makeRobot(world.origin, name, given);
    world.subjects.push(subject);
    world.keys.push({ apiKeyId, owner: name });
  }
  const robot = world.subjects.find(({ name }) => name === "admRobot");
  const manager = world.subjects.find(({ name }) => name === "um");
  const narrow = ["user.manage", "user.read", "session.manage", "api-key.manage"] as const;
  const given = {
    "key of user.manage": { permissions: ["user.manage"] as const },
    "key of managers": { permissions: narrow, knownTo: [manager?.userId ?? ""] },
    "key of all but customers": {
      permissions: permissions.filter((one) => !one.startsWith("customer.")),
    },
  };
  for (const [name, { permissions: of, ...more }] of Object.entries(given)) {
    const row = { permissions: [...of], ...more };
    const { headers, apiKeyId } = await makeApiKey(A, robot?.userId ?? "", row);
    const credential = { name, headers: withoutTenant(headers), tenant: "A" as const };
    world.programs.push({ ...credential, owner: "admRobot" });
    world.keys.push({ apiKeyId, owner: "admRobot" });
  }
  await makeUser(B, { roleIds: ["tenant.admin"], login: "bAdm" });
  return world;
}

/** Tables in the order of their references. Of B only users with their roles are relevant. */
const copied: { tables: PgTable[]; of: (keyof Copy)[] }[] = [
  { tables: [tenants], of: ["A", "B"] },
  { tables: [sites, users], of: ["A", "B"] },
  { tables: [roleAssignments], of: ["A", "B"] },
  {
    tables: [memberships, sessions, apiKeys, passwordLinks, mailedLinks, emailConfirmations, mails],
    of: ["A"],
  },
];
const namesTenant = /(^|_)tenant_id$/;

async function copyTable(table: PgTable, of: keyof Copy, from: Copy, to: Copy): Promise<void> {
  const columns = Object.values(getTableColumns(table)).map(({ name }) => name);
  const values = columns.map((name) => {
    const column = sql.identifier(name);
    if (name === "tenant_id") return sql`${to[of]}`;
    return namesTenant.test(name)
      ? sql`case ${column} when ${from.A} then ${to.A} when ${from.B} then ${to.B} else ${column} end`
      : sql`${column}`;
  });
  const named = columns.map((name) => sql.identifier(name));
  const rows = sql.identifier(getTableName(table));
  await db().execute(sql`insert into ${rows} (${sql.join(named, sql`, `)})
    select ${sql.join(values, sql`, `)} from ${rows} where tenant_id = ${from[of]}`);
}

/** Copies the rows of both tenants under new ids. Ids of users, sessions and keys stay, so that every credential is valid in the copy. */
export async function copyWorld(from: Copy, to: Copy): Promise<void> {
  for (const { tables, of } of copied)
    await Promise.all(tables.flatMap((table) => of.map((one) => copyTable(table, one, from, to))));
}
