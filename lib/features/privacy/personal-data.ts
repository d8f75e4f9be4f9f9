import type { Caller } from "@/lib/access/caller";
import type { Transaction } from "@/lib/database/open";
import { deleteHandOffsOf } from "@/lib/features/api-keys/hand-offs/rows";
import { latestKeysOf, revokeKeysOf, toApiKey } from "@/lib/features/api-keys/rows";
import { deletePreviousUseRows } from "@/lib/features/api-keys/service";
import { listIdentitiesOf } from "@/lib/features/connections/identities";
import { deleteIdentitiesOf } from "@/lib/features/connections/identity-rows";
import {
  deleteProvisionedOf,
  exportProvisioned,
} from "@/lib/features/connections/provisioned-rows";
import { eraseReporter, selectMarkersOf } from "@/lib/features/metrics/markers/rows";
import { toMarker } from "@/lib/features/metrics/markers/service";
import { deleteCommentsOf, selectCommentsOf } from "@/lib/features/previews/comments/rows";
import { toComment } from "@/lib/features/previews/comments/service";
import { eraseAuthor, previewKeysOf } from "@/lib/features/previews/find";
import { deleteSharesOf } from "@/lib/features/previews/shares/service";
import { deleteChallengesOf } from "@/lib/features/sessions/challenge-rows";
import type { Session } from "@/lib/features/sessions/contract";
import { deleteSessionRowsOf, sessionRowsOf } from "@/lib/features/sessions/rows";
import type { SecondFactor } from "@/lib/features/sessions/second-factors/contract";
import { confirmedFactorsOf, deleteFactorsOf } from "@/lib/features/sessions/second-factors/rows";
import { toSecondFactor } from "@/lib/features/sessions/second-factors/service";
import { toSession } from "@/lib/features/sessions/service";
import { deleteAccessRequestsOf } from "@/lib/features/users/access-request-rows";
import { exportAccessRequests } from "@/lib/features/users/access-requests";
import { deleteViewsOf, selectDefaults, selectViewsOf } from "@/lib/features/views/rows";
import { toView } from "@/lib/features/views/service";
import { deleteResponsesNaming } from "@/lib/http/idempotent-response-rows";
import type { UserExportRecord } from "./contract";

/** All stored sessions of a user, including ended ones. */
async function exportSessions(caller: Caller, userId: string): Promise<Session[]> {
  const rows = await sessionRowsOf({ tenantId: caller.tenantId, userId });
  return rows.map((row) => toSession(row, caller));
}

async function eraseSessionsOf(tx: Transaction, tenantId: string, userId: string) {
  await deleteSessionRowsOf(tx, { tenantId, userId });
  await deleteChallengesOf(tx, { tenantId, userId });
}

/** Without their secrets. */
async function exportFactors(tenantId: string, userId: string): Promise<SecondFactor[]> {
  return (await confirmedFactorsOf({ tenantId, userId })).map(toSecondFactor);
}

async function eraseFactorsOf(tx: Transaction, tenantId: string, userId: string) {
  await deleteFactorsOf(tx, { tenantId, userId });
}

/** A user in a tenant. */
interface Person {
  tenantId: string;
  userId: string;
}

/** The personal data that one feature stores. */
interface PersonalData {
  /** In parts, so that memory use is bounded; absent if the data has no words or actions of the user. */
  exported?: (person: Person, caller: Caller) => AsyncGenerator<UserExportRecord[]>;
  erase: (tx: Transaction, person: Person) => Promise<unknown>;
}

export const partSize = 500;

/** The comments that a user wrote on any site's preview configurations, oldest first, in parts of `size`. */
export async function* exportComments(person: Person, size: number) {
  for (let after = ""; ; ) {
    const rows = await selectCommentsOf(person, after, size);
    const keys = await previewKeysOf(
      person.tenantId,
      rows.map(({ previewId }) => previewId),
    );
    yield rows.map((row) => {
      const { author: _, ...comment } = toComment(row);
      const { site = "", key = "" } = keys.get(row.previewId) ?? {};
      return { type: "previewComment" as const, data: { site, key, ...comment } };
    });
    const last = rows.at(-1);
    if (rows.length < size || !last) return;
    after = last.commentId;
  }
}

/**
 * The personal data in addition to the account and the audit trail, in the order of an export. Every table with personal data needs an
 * entry here: export and erasure only use this list.
 */
export const personalData: Record<string, PersonalData> = {
  sessions: {
    async *exported({ userId }, caller) {
      const sessions = await exportSessions(caller, userId);
      yield sessions.map((data) => ({ type: "session", data }));
    },
    erase: (tx, { tenantId, userId }) => eraseSessionsOf(tx, tenantId, userId),
  },
  secondFactors: {
    async *exported({ tenantId, userId }) {
      const factors = await exportFactors(tenantId, userId);
      yield factors.map((data) => ({ type: "secondFactor", data }));
    },
    erase: (tx, { tenantId, userId }) => eraseFactorsOf(tx, tenantId, userId),
  },
  identities: {
    async *exported({ tenantId, userId }) {
      const identities = await listIdentitiesOf({ tenantId, userId });
      yield identities.map((data) => ({ type: "identity", data }));
    },
    erase: (tx, person) => deleteIdentitiesOf(tx, person),
  },
  provisioning: {
    async *exported(person) {
      const said = await exportProvisioned(person);
      yield said.map((data) => ({ type: "provisioning", data }));
    },
    erase: (tx, person) => deleteProvisionedOf(tx, person),
  },
  /** The latest ones, including ended ones. */
  apiKeys: {
    async *exported(person) {
      const keys = await latestKeysOf(person);
      yield keys.map((row) => ({ type: "apiKey", data: toApiKey(row) }));
    },
    erase: async (tx, person) =>
      deletePreviousUseRows(tx, person.tenantId, await revokeKeysOf(tx, person)),
  },
  handOffs: { erase: (tx, { tenantId, userId }) => deleteHandOffsOf(tx, tenantId, userId) },
  revisions: { erase: eraseAuthor },
  previewComments: {
    exported: (person) => exportComments(person, partSize),
    erase: (tx, { tenantId, userId }) => deleteCommentsOf(tx, tenantId, userId),
  },
  markers: {
    async *exported(person) {
      yield (await selectMarkersOf(person)).map((row) => {
        const { source: _, author: _author, ...data } = toMarker(row);
        return { type: "marker", data };
      });
    },
    erase: eraseReporter,
  },
  accessRequests: {
    async *exported(person) {
      const asked = await exportAccessRequests(person);
      yield asked.map((data) => ({ type: "accessRequest", data }));
    },
    erase: deleteAccessRequestsOf,
  },
  shares: { erase: (tx, { tenantId, userId }) => deleteSharesOf(tx, tenantId, userId) },
  /** Including shared ones: names and queries are the user's words. */
  views: {
    async *exported(person) {
      const defaults = await selectDefaults(person);
      const rows = await selectViewsOf(person);
      yield rows.map((row) => ({ type: "view", data: toView(row, defaults.has(row.viewId)) }));
    },
    erase: deleteViewsOf,
  },
  responses: { erase: (tx, { tenantId, userId }) => deleteResponsesNaming(tx, tenantId, userId) },
};
