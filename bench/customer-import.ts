import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { hashSync } from "@node-rs/bcrypt";
import { sql } from "drizzle-orm";
import { closeStore, db, openStore } from "@/lib/database/open";
import { tenantQuotas } from "@/lib/database/schema/schema";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

/*
 * Imports this many customers over HTTP, kills the process with -9 once half of them are imported, restarts it, and prints the rates and
 * which customers are missing or duplicated: npm run bench -- customer-import 1000000
 */

const count = Number(process.argv[2]) || 100_000;
const site = "one";
const passwordHash = hashSync("a shopper's own secret", 10);

type Headers = Record<string, string>;

async function seed(): Promise<{ tenant: string; headers: Headers }> {
  await openStore();
  const tenant = await makeTenant({ siteIds: [site] });
  const max = count + 1000;
  const quota = { tenantId: tenant, quota: "customers", max, countedAt: new Date(0) };
  await db().insert(tenantQuotas).values(quota);
  const { userId } = await makeUser(tenant, { roleIds: ["portal.customers.mgmt"] });
  const { headers } = await makeSession(tenant, userId);
  await closeStore();
  return { tenant, headers: { ...headers, "X-Service-Site": site } };
}

/** A customer with a profile of typical size. */
function lineOf(n: number): string {
  const home = { street1: `${n} Main Street`, postalCode: "10115", city: "Berlin", country: "DE" };
  const email = { address: `shopper-${n}@bench.example`, label: "private" };
  const customer = {
    login: email.address,
    passwordHash,
    registrationDate: "2024-02-29T12:00:00Z",
    name: { first: "Ann", last: `Example ${n}` },
    addresses: { addresses: [home], defaultShipping: home },
    emailAddresses: { addresses: [email], default: email },
  };
  return `${JSON.stringify(customer)}\n`;
}

function body(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const lines = Array.from({ length: Math.min(500, count - next) }, (_, n) => lineOf(next + n));
      next += lines.length;
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      else controller.close();
    },
  });
}

async function upload({ url }: Product, headers: Headers): Promise<string> {
  const response = await fetch(`${url}/v1/customers/imports`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/x-ndjson" },
    body: body(),
    duplex: "half",
  } as RequestInit);
  const text = await response.text();
  if (response.status !== 202) throw new Error(text);
  return JSON.parse(text).id;
}

interface Progress {
  state: string;
  done: number;
  failed: number;
}

/** Waits until the import has this many customers. */
async function reached({ url }: Product, headers: Headers, id: string, wanted: number) {
  for (;;) {
    const response = await fetch(`${url}/v1/customers/imports/${id}`, { headers });
    const { state, done, failed } = (await response.json()) as Progress;
    process.stdout.write(`\r${state}: ${done} of ${count}, ${failed} failed   `);
    if (done + failed >= wanted && (wanted < count || state === "done")) return { done, failed };
    await pause(200);
  }
}

/** The contents of the store after every process has ended. */
async function stored(tenant: string): Promise<Record<string, number>> {
  await openStore();
  const { rows } = await db().execute<Record<string, number>>(sql`select
    (select count(*)::int from customers where tenant_id = ${tenant}) as customers,
    (select count(distinct login)::int from customers where tenant_id = ${tenant}) as logins,
    (select count(*)::int from customer_sites where tenant_id = ${tenant}) as sites,
    (select count(*)::int from customer_emails where tenant_id = ${tenant}) as emails,
    (select count(*)::int from customer_activity where tenant_id = ${tenant}) as events,
    (select coalesce(sum(jsonb_array_length(created)), 0)::int from customer_import_results where tenant_id = ${tenant}) as results,
    (select used::int from tenant_quotas where tenant_id = ${tenant} and quota = 'customers') as used`);
  await closeStore();
  return rows[0] ?? {};
}

const seconds = (since: number) => (performance.now() - since) / 1000;

async function main(dataDir: string): Promise<boolean> {
  process.env.DATA_DIR = dataDir;
  const { tenant, headers } = await seed();
  let product = await startProduct(dataDir, { RATE_LIMITS: "off" });
  const began = performance.now();
  const id = await upload(product, headers);
  process.stdout.write(`uploaded in ${seconds(began).toFixed(1)} s\n`);
  await reached(product, headers, id, Math.floor(count / 2));
  product.process.kill("SIGKILL");
  await product.ended;
  process.stdout.write("\nkilled\n");
  product = await startProduct(dataDir, { RATE_LIMITS: "off" });
  const { done, failed } = await reached(product, headers, id, count);
  const took = seconds(began);
  await product.stop();
  const found = await stored(tenant);
  const wrong = Object.values(found).filter((number) => number !== count);
  process.stdout.write(
    `\n${done} imported, ${failed} failed in ${took.toFixed(1)} s with upload, kill and restart: ${Math.round(count / took)} a second\n`,
  );
  process.stdout.write(`missing ${count - done}; stored ${JSON.stringify(found)}\n`);
  return failed === 0 && wrong.length === 0;
}

const dataDir = makeStoreFolder();
try {
  process.exitCode = (await main(dataDir)) ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
