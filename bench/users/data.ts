import { hashPassword } from "@/lib/access/hashing";
import { newId } from "@/lib/database/ids";
import { closeStore, db, openStore, transaction } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import { actingAsSystem } from "@/lib/features/audit/service";
import { createTenant } from "@/lib/features/tenants/create";
import { createUser, searchTextOf } from "@/lib/features/users/create";
import { grantsOf } from "@/lib/features/users/role-assignments";
import { labelKey } from "@/lib/protocol/formats";

export const administrator = {
  tenant: "many",
  login: "admin",
  password: "correct horse battery staple",
};
export const size = 50_000;

const firsts =
  "Ada Ben Clara Dmitri Elif Farid Greta Hugo Ines Jonas Kaya Lena Mats Nadia Otto Paula Quentin Rosa Søren Tarik Uma Vera Wim Zoë";
const lasts =
  "Abe Bauer Costa Dahl Eriksen Fischer Garcia Hansen Ivanov Jensen Kowalski Lopez Meyer Nilsson Okafor Petit Quist Rossi Sato Tanaka Umar Vogel Weber Yıldız Zeman";
const roles = [
  "portal.default",
  "portal.catalog.mgmt",
  "portal.order.mgmt",
  "portal.users.mgmt",
  "portal.pim.mgmt",
];
/** Rows per statement, few enough that a busy machine completes it within the statement timeout. */
const partSize = 500;

const pick = (words: string, n: number) => {
  const all = words.split(" ");
  return all[n % all.length] ?? "";
};

/** Person number n, the same in every run; the number makes the login unique. */
function person(tenantId: string, n: number) {
  const [first, last] = [
    pick(firsts, n * 7 + Math.floor(n / 24)),
    pick(lasts, n * 11 + Math.floor(n / 25)),
  ];
  const login = `${first}.${last}.${n}`.toLowerCase();
  const seen = { login, name: `${first} ${last}`, emailAddress: `${login}@many.example` };
  const userId = newId("user");
  const held = [
    { siteId: "", roleId: roles[n % 2] ?? "" },
    ...(n % 3 === 0 ? [{ siteId: n % 2 ? "eu" : "us", roleId: roles[2 + (n % 3)] ?? "" }] : []),
  ];
  const at = new Date(Date.now() - (n % 900) * 86_400_000);
  const row = {
    ...seen,
    tenantId,
    userId,
    homeTenantId: tenantId,
    kind: "person" as const,
    state: "active" as const,
    loginKey: labelKey(login),
    searchText: searchTextOf(seen),
    registeredAt: at,
    lastLoginAt: at,
    isLocked: n % 40 === 0,
    isSystem: false,
    mustChangePassword: false,
    grants: grantsOf(held),
    preferences: {},
  };
  return { row, held: held.map((one) => ({ tenantId, userId, ...one })) };
}

/** Inserts the people number `from` to `to - 1`, in bulk and without a trail. */
export async function addPeople(tenantId: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += partSize) {
    const count = Math.min(partSize, to - first);
    const people = Array.from({ length: count }, (_, i) => person(tenantId, first + i));
    await db()
      .insert(users)
      .values(people.map(({ row }) => row));
    await db()
      .insert(roleAssignments)
      .values(people.flatMap(({ held }) => held));
  }
}

/** Creates a tenant of that many users in the store in `dataDir`: the administrator as usual, the others in bulk and without a trail. */
export async function seedMany(dataDir: string, count = size): Promise<void> {
  process.env.DATA_DIR = dataDir;
  await openStore();
  const acting = actingAsSystem(administrator.tenant, "bench");
  const hash = await hashPassword(
    { plane: "management", tenantId: administrator.tenant },
    administrator.password,
  );
  await transaction(async (tx) => {
    const sites = ["eu", "us"].map((siteId) => ({ siteId, name: siteId.toUpperCase() }));
    await createTenant(tx, acting, { name: "Many", kind: "production", sites });
    const { login } = administrator;
    const seen = { login, name: "Administrator", emailAddress: "admin@many.example" };
    await createUser(tx, acting, {
      ...seen,
      roles: { roleIds: ["tenant.admin"], sites: {} },
      password: { hash },
    });
  });
  await addPeople(administrator.tenant, 1, count);
  // As the store's autovacuum would within a minute: otherwise the first plans are made for empty tables.
  await db().$client.query("vacuum analyze");
  await closeStore();
}
