import { sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { perProcess } from "@/lib/protocol/per-process";
import { flushPreviousUses } from "./previous-uses";

const tickMs = 1000;
const maxQuietMs = 60_000;
const maxUses = 20_000;
/** For API keys, which have no idle timeout: results in the longest time between two writes. */
const defaultIdleSeconds = 240;

interface Use {
  kind: "session" | "apiKey";
  tenantId: string;
  credentialId: string;
  at: number;
  /** False until this use is in the store. */
  isWritten: boolean;
  writtenAt: number;
  /** How long a use may stay unwritten: sessions with a short idle timeout are written more often. */
  quietMs: number;
  address: string;
  operation: string;
}

interface State {
  uses: Map<string, Use>;
  timer: NodeJS.Timeout | undefined;
}

const state = perProcess<State>("last-used", () => ({ uses: new Map(), timer: undefined }));

/** Notes that a credential was used: written later, at most once a minute, so that no read waits for a write. */
export function noteUse(
  noted: Omit<Use, "isWritten" | "writtenAt" | "quietMs">,
  idleSeconds = defaultIdleSeconds,
): void {
  const { uses } = state();
  const { credentialId, at, address, operation } = noted;
  const use = uses.get(credentialId);
  if (use) Object.assign(use, { at, address, operation, isWritten: false });
  else if (uses.size < maxUses) {
    const quietMs = Math.min(maxQuietMs, idleSeconds * 250);
    uses.set(credentialId, { ...noted, isWritten: false, writtenAt: 0, quietMs });
  }
  state().timer ??= setTimeout(tick, tickMs).unref();
}

/** This process's latest note of the credential, which may not be written yet. */
export function latestUse(
  credentialId: string,
): Readonly<Pick<Use, "at" | "address" | "operation">> | undefined {
  return state().uses.get(credentialId);
}

/** Milliseconds since the epoch of this process's latest note of the credential, 0 when it has none. */
export function lastNotedUse(credentialId: string): number {
  return latestUse(credentialId)?.at ?? 0;
}

async function write(tenantId: string, kind: Use["kind"], uses: Use[]): Promise<void> {
  const ids = sql`${sql.param(uses.map((use) => use.credentialId))}::text[]`;
  const times = sql`${sql.param(uses.map((use) => new Date(use.at).toISOString()))}::timestamptz[]`;
  if (kind === "session") {
    await db().execute(sql`update sessions set last_seen_at = used.at from unnest(${ids}, ${times}) as used (id, at)
      where sessions.tenant_id = ${tenantId} and sessions.session_ref = used.id and sessions.last_seen_at < used.at`);
    return;
  }
  const addresses = sql`${sql.param(uses.map((use) => use.address))}::text[]`;
  const operations = sql`${sql.param(uses.map((use) => use.operation))}::text[]`;
  await db().execute(sql`update api_keys set last_used_at = used.at, last_used_ip = used.address, last_used_operation = used.operation
    from unnest(${ids}, ${times}, ${addresses}, ${operations}) as used (id, at, address, operation)
    where api_keys.tenant_id = ${tenantId} and api_keys.api_key_id = used.id and coalesce(api_keys.last_used_at <= used.at, true)`);
}

/** Writes the uses that are due, in the order of their ids, so that two processes never deadlock. */
export async function flushUses(everything = false): Promise<void> {
  await flushPreviousUses();
  const { uses } = state();
  const now = Date.now();
  const due = new Map<string, Use[]>();
  for (const use of [...uses.values()].sort((a, b) => (a.credentialId < b.credentialId ? -1 : 1))) {
    if (use.isWritten && now - use.writtenAt > maxQuietMs) uses.delete(use.credentialId);
    if (use.isWritten || (!everything && now - use.writtenAt < use.quietMs)) continue;
    const group = `${use.kind} ${use.tenantId}`;
    due.set(group, [...(due.get(group) ?? []), use]);
  }
  for (const [first, ...rest] of due.values()) {
    if (!first) continue;
    const group = [first, ...rest];
    // A use that is noted while these are written stays due.
    for (const use of group) use.isWritten = true;
    try {
      await write(first.tenantId, first.kind, group);
    } catch (error) {
      for (const use of group) use.isWritten = false;
      throw error;
    }
    for (const use of group) use.writtenAt = now;
  }
}

async function tick(): Promise<void> {
  // Continues while the store is unavailable: the uses stay due.
  await flushUses().catch(() => undefined);
  state().timer = state().uses.size > 0 ? setTimeout(tick, tickMs).unref() : undefined;
}
