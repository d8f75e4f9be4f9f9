import { and, eq, isNull, sql } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import type { Transaction } from "@/lib/database/open";
import { previewConfigurations, previewRevisions } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { checkPreconditions, dependsOnState, type Preconditions } from "@/lib/protocol/conditional";
import type { PreviewVia } from "@/lib/protocol/documents/preview";
import { ApiError } from "@/lib/protocol/errors";
import type { Content } from "./content";
import { contentOf } from "./content";
import type { Preview } from "./contract";
import {
  changesTo,
  findState,
  insertRevision,
  type State,
  siteOf,
  targetOf,
  validatorsOf,
  type WrittenRevision,
} from "./find";
import { findRevision, getPreview } from "./list";
import { assertBytesWithinQuota } from "./storage";

async function revisionBefore(tx: Transaction, caller: Caller, state: State, version: number) {
  if (version === state.version) return state;
  const [earlier] = await tx
    .select({ hash: previewRevisions.hash })
    .from(previewRevisions)
    .where(
      and(
        eq(previewRevisions.tenantId, caller.tenantId),
        eq(previewRevisions.previewId, state.previewId),
        eq(previewRevisions.n, version),
      ),
    );
  return { version, hash: earlier?.hash ?? "" };
}

interface Append {
  key: string;
  content: Content;
  via: PreviewVia;
  action: "preview.updated" | "preview.revision-restored";
  /** The write requires exactly this state. */
  isBound: boolean;
  /** Further writes in the same transaction. */
  follow?: (tx: Transaction) => Promise<void>;
}

/** Undefined when the state has changed: another write, an archive or a delete came first. */
async function append(
  caller: Caller,
  state: State,
  { key, content, via, action, isBound, follow }: Append,
): Promise<WrittenRevision | undefined> {
  return transactionFor(caller, async (tx) => {
    const [raised] = await tx
      .update(previewConfigurations)
      .set({ version: sql`${previewConfigurations.version} + 1`, ...content.summary })
      .where(
        and(
          eq(previewConfigurations.tenantId, caller.tenantId),
          eq(previewConfigurations.previewId, state.previewId),
          isNull(previewConfigurations.deletedAt),
          isNull(previewConfigurations.archivedAt),
          isBound ? eq(previewConfigurations.version, state.version) : undefined,
        ),
      )
      .returning({ version: previewConfigurations.version });
    if (!raised) return undefined;
    const { tenantId } = caller;
    const revision = { ...raised, tenantId, previewId: state.previewId, content };
    const written = await insertRevision(tx, { ...caller, via }, revision);
    const before = await revisionBefore(tx, caller, state, raised.version - 1);
    await record(tx, actingAs(caller), {
      action,
      target: targetOf(siteOf(caller), state.previewId, key),
      changes: changesTo(before, written),
    });
    await assertBytesWithinQuota(tx, revision);
    await follow?.(tx);
    return written;
  });
}

async function writeNext(
  caller: Caller,
  key: string,
  preconditions: Preconditions,
  write: Omit<Append, "key" | "isBound">,
): Promise<WrittenRevision> {
  const isBound = dependsOnState(preconditions);
  // An attempt only fails if another write succeeded, so the loop terminates.
  for (;;) {
    const state = await findState(caller, key);
    checkPreconditions(preconditions, validatorsOf(state));
    if (state.archivedAt)
      throw new ApiError(
        "preview.archived",
        `The preview configuration "${key}" is archived.`,
        state.archivedAt.toISOString(),
      );
    const written = await append(caller, state, { ...write, key, isBound });
    if (written) return written;
  }
}

/** The kind of credential of a write, and its preconditions. */
interface Write {
  via: PreviewVia;
  preconditions: Preconditions;
}

/** Stores the bytes as the next revision of a configuration that exists. Throws 404, 412, 409, in this order. */
export function updateConfiguration(
  caller: Caller,
  key: string,
  { content, via, preconditions }: Write & { content: Content },
): Promise<WrittenRevision> {
  return writeNext(caller, key, preconditions, { content, via, action: "preview.updated" });
}

/** Makes an earlier revision the newest again, as one more revision. Throws 404, 412, 409. */
export async function restoreRevision(
  caller: Caller,
  key: string,
  n: string,
  { via, preconditions }: Write,
): Promise<Preview> {
  const { content } = await findRevision(caller, key, n);
  const earlier = contentOf(content, JSON.parse(content.toString("utf8")));
  const shown: Preview[] = [];
  await writeNext(caller, key, preconditions, {
    content: earlier,
    via,
    action: "preview.revision-restored",
    follow: async (tx) => void shown.push(await getPreview(caller, key, tx)),
  });
  return shown[0] ?? getPreview(caller, key);
}
