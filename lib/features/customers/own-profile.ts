import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import { unknownToken } from "@/lib/access/authenticate-shopper";
import type { SignedInShopper } from "@/lib/access/caller";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { read, type Transaction, transaction } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import { record } from "@/lib/features/audit/service";
import { addUse } from "@/lib/features/quotas/quotas";
import { shareBody } from "@/lib/http/answer";
import type { Context } from "@/lib/http/context";
import { sendTagged } from "@/lib/http/responses";
import { checkPreconditions, readPreconditions } from "@/lib/protocol/conditional";
import type { CustomerDetails, CustomerProfile } from "@/lib/protocol/documents/customer-profile";
import type { JsonObject } from "@/lib/protocol/merge-patch";
import { perProcess } from "@/lib/protocol/per-process";
import { actingAsCustomer, noteEvent } from "./activity";
import { deleteCustomer, eraseCustomerOrigins } from "./erase";
import { changedFields, patchedDetails, writeDetails } from "./profile-rows";

interface Row {
  id: string;
  login: string;
  registrationDate: string;
  revision: number;
  details: CustomerDetails;
  siteIds: string | null;
}

interface Versioned {
  profile: CustomerProfile;
  etag: string;
  revision: number;
  details: CustomerDetails;
}

const ownRow = `select c.customer_id as id, c.login, c.revision, c.details,
  to_char(c.registered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "registrationDate",
  (select string_agg(s.site_id, ',' order by s.site_id) from customer_sites s where s.tenant_id = $1 and s.customer_id = $2) as "siteIds"
  from customers c where c.tenant_id = $1 and c.customer_id = $2`;

function versioned({ id, login, registrationDate, revision, details, siteIds }: Row): Versioned {
  const profile = {
    ...details,
    id,
    login,
    registrationDate,
    siteIds: siteIds ? siteIds.split(",") : [],
  };
  return {
    profile: shareBody(profile),
    revision,
    details,
    etag: `"${revision}-${id.slice("cust_".length)}"`,
  };
}

/** Profiles by the rows of the store, so that concurrent requests that share one query also share the result. */
const profiles = perProcess("own-profiles", () => new WeakMap<readonly Row[], Versioned>());

/** The profile of a customer of this tenant, with its strong entity tag; undefined for a deleted one. */
export async function findProfile(
  tenantId: string,
  customerId: string,
  within?: Transaction,
): Promise<Versioned | undefined> {
  const rows = await read<Row>("own-profile", ownRow, [tenantId, customerId], within);
  const known = profiles().get(rows);
  if (known || !rows[0]) return known;
  const found = versioned(rows[0]);
  profiles().set(rows, found);
  return found;
}

/** The caller's own profile. Throws 401 for a customer who was just deleted. */
export async function getOwnProfile({ tenantId, customerId }: SignedInShopper): Promise<Versioned> {
  const found = await findProfile(tenantId, customerId);
  if (!found) throw unknownToken();
  return found;
}

/** Sends a profile with its entity tag, or 304 if the caller already has it. */
export async function sendProfile(
  context: Pick<Context, "request" | "responseHeaders" | "format">,
  found: Promise<Versioned>,
) {
  const { profile, etag } = await found;
  return sendTagged(context, { value: profile, etag });
}

/** The customer whose profile is changed, and the request with its If-Match header. */
type ProfileChange = Pick<Context, "request"> & { caller: SignedInShopper };

/** Writes the details if the profile is still at this revision; false after a concurrent change. */
function write(
  shopper: SignedInShopper,
  before: Versioned,
  details: CustomerDetails,
): Promise<boolean> {
  const fields = changedFields(before.details, details);
  return transaction(async (tx) => {
    if (!(await writeDetails(tx, shopper, before, details))) return false;
    await noteEvent(tx, shopper, {
      customerId: shopper.customerId,
      action: "profile-changed",
      fields,
    });
    return true;
  });
}

/** Changes the caller's own profile by a merge patch. Throws 400, and 412 when If-Match names another state. */
export async function updateOwnProfile({
  caller: shopper,
  request,
  body,
}: ProfileChange & { body: JsonObject }): Promise<Versioned> {
  const preconditions = readPreconditions(request.headers);
  for (;;) {
    const before = await getOwnProfile(shopper);
    checkPreconditions(preconditions, before);
    const details = patchedDetails(before.details, body);
    if (isDeepStrictEqual(details, before.details)) return before;
    if (await write(shopper, before, details)) return getOwnProfile(shopper);
  }
}

/** Deletes the caller's own account with all stored data; the audit trail keeps the id. Throws 412. */
export async function deleteOwnProfile({ caller: shopper, request }: ProfileChange): Promise<void> {
  const { tenantId, customerId } = shopper;
  const preconditions = readPreconditions(request.headers);
  for (;;) {
    const before = await getOwnProfile(shopper);
    checkPreconditions(preconditions, before);
    const isDeleted = await withTokenRevocation(tenantId, async (tx, end) => {
      const condition = eq(customers.revision, before.revision);
      if (!(await deleteCustomer(tx, end, shopper, condition))) return false;
      const target = { type: "customer", id: customerId };
      await record(tx, actingAsCustomer(shopper, customerId), {
        action: "customer.deleted",
        target,
      });
      await addUse(tx, tenantId, "customers", -1);
      return true;
    });
    if (isDeleted) return eraseCustomerOrigins(shopper);
  }
}
