import { randomBytes } from "node:crypto";
import { authenticate } from "@/lib/access/secret-key";
import type { Connection } from "@/lib/database/connection";
import { copyIn } from "@/lib/database/copy";
import { newId } from "@/lib/database/ids";
import { withOwnerConnection } from "@/lib/database/owner-connection";
import {
  chainHash,
  type Link,
  macText,
  provePersonal,
  saltedHash,
} from "@/lib/features/audit/chain";
import { emptyDetails } from "@/lib/protocol/documents/customer-profile";

const partSize = 1000;
const [address, agent] = ["192.0.2.7", "bench"];

const customers = `insert into customers (tenant_id, customer_id, login, login_key, password_hash, registered_at, revision, details)
  select $1, 'cust_' || lpad(n::text, 26, '0'), 'shopper-' || n, 'shopper-' || n, '-', now(), 1,
    $2::jsonb || jsonb_build_object('name', jsonb_build_object('first', 'Ann', 'last', 'Example ' || n))
  from generate_series($3::int + 1, $4::int) n`;
const places = `insert into customer_sites (tenant_id, site_id, customer_id)
  select tenant_id, $2, customer_id from customers where tenant_id = $1 and customer_id like 'cust_00000000000%'
  on conflict do nothing`;

const columns =
  "tenant_id, seq, audit_id, occurred_at, actor, action, target, changes, request_id, result, address, agent, salt, address_hash, agent_hash, previous_hash, hash, personal, key_id, mac";

/** The entry after a given position in the chain, as a line of COPY, and its position. */
function entryAfter(tenantId: string, before: Link, occurredAt: Date) {
  const salt = randomBytes(16);
  const actor = { type: "user" as const, id: "user_00000000000000000000000001", login: "admin" };
  const target = { type: "customer", id: `cust_${String(before.seq).padStart(26, "0")}` };
  const facts = {
    ...{ tenantId, seq: before.seq + 1, auditId: newId("aud"), occurredAt },
    ...{ actor, action: "customer.updated", target, changes: {}, requestId: "bench" },
    ...{ result: "success", personal: provePersonal({ actor, target, changes: {} }) },
    ...{ addressHash: saltedHash(salt, address), agentHash: saltedHash(salt, agent) },
  };
  const hash = chainHash(before.hash, facts);
  const { seq } = facts;
  const { keyId, mac } = authenticate(macText(tenantId, before.mac, { seq, hash }));
  const bytes = (value: Buffer) => `\\\\x${value.toString("hex")}`;
  const line = [
    ...[tenantId, seq, facts.auditId, facts.occurredAt.toISOString(), JSON.stringify(actor)],
    ...[facts.action, JSON.stringify(target), "{}", facts.requestId, facts.result, address, agent],
    ...[salt, facts.addressHash, facts.agentHash, before.hash, hash].map(bytes),
    ...[JSON.stringify(facts.personal), keyId, bytes(mac)],
  ].join("\t");
  return { line, place: { seq, hash, mac } };
}

/** The time of the n-th added entry. */
export type TimeOf = (n: number) => Date;

/** Appends this many entries to the tenant's chain. */
async function fillTrail(
  connection: Connection,
  tenantId: string,
  { entries: count, timeOf = () => new Date() }: Counts,
): Promise<void> {
  const { client } = connection;
  const { rows } = await client.query<Link>(
    "select audit_seq::int as seq, audit_head as hash, audit_mac as mac from tenants where tenant_id = $1",
    [tenantId],
  );
  let at = rows[0] as Link;
  const before = at.seq;
  const last = before + count;
  async function* lines() {
    while (at.seq < last) {
      const part: string[] = [];
      while (part.length < partSize && at.seq < last) {
        const { line, place } = entryAfter(tenantId, at, timeOf(at.seq - before));
        part.push(`${line}\n`);
        at = place;
      }
      yield Buffer.from(part.join(""));
    }
  }
  await copyIn(connection, `copy audit_events (${columns}) from stdin`, lines());
  await client.query(
    "update tenants set audit_seq = $2, audit_head = $3, audit_mac = $4, audit_at = now() where tenant_id = $1",
    [tenantId, at.seq, at.hash, at.mac],
  );
}

interface Counts {
  customers: number;
  /** The number of customers that exist already. */
  customersBefore?: number;
  entries: number;
  timeOf?: TimeOf;
}

/** Inserts customers and entries of the trail of a tenant directly into the store: many more than the service could write in an hour. */
export async function fill(
  { tenant, site }: { tenant: string; site: string },
  counts: Counts,
): Promise<void> {
  await withOwnerConnection(async (connection) => {
    const { client } = connection;
    await client.query("set statement_timeout = 0");
    const from = counts.customersBefore ?? 0;
    const details = JSON.stringify(emptyDetails);
    await client.query(customers, [tenant, details, from, from + counts.customers]);
    await client.query(places, [tenant, site]);
    await fillTrail(connection, tenant, counts);
    await client.query("vacuum analyze");
  });
}
