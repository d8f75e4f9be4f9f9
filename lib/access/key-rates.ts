import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { db } from "@/lib/database/open";
import { ApiError } from "@/lib/protocol/errors";
import { perProcess } from "@/lib/protocol/per-process";
import { rateLimitHeaders } from "./rate-limits";

/*
 * The rate limit of one API key across all processes. Time is divided into windows of the key's length; the key's row has the
 * number of requests taken from the newest window. A process takes a share of it in advance and admits requests from that
 * share in memory:
 *
 *   limit 600:  |-- 60 --|-- 60 --|-- ... --|15|11|8|...|1|1|
 *                process A         B              A
 *
 * A share is at most a tenth of the limit and a quarter of the remainder, so the last requests of a window are divided finely.
 * The shares never exceed the limit. A window costs about 30 statements, however many requests it has, and none
 * once it is used up. Other processes cannot use the unused part of a share until the next window: at most a tenth of
 * the limit for each process.
 */

export interface KeyRateLimit {
  limit: number;
  windowSeconds: number;
}

/** A use of a key that has a limit. */
export interface LimitedUse {
  apiKeyId: string;
  rate: KeyRateLimit;
}

interface Share {
  window: number;
  limit: number;
  /** How many more requests this process may admit. */
  left: number;
  /** The number that all processes had taken when this one last took a share. */
  taken: number;
  isUsedUp: boolean;
  refill: Promise<void> | undefined;
}

export type Shares = LRUCache<string, Share>;
export const createShares = (): Shares => new LRUCache({ max: 20_000 });
const ownShares = perProcess("key-rates", createShares);

const maxRefills = 3;

const windowAt = (now: number, { windowSeconds }: KeyRateLimit) =>
  Math.floor(now / 1000 / windowSeconds);

function shareOf(shares: Shares, tenantId: string, { apiKeyId, rate }: LimitedUse): Share {
  const key = `${tenantId} ${apiKeyId} ${rate.windowSeconds}`;
  const window = windowAt(Date.now(), rate);
  const known = shares.get(key);
  if (known?.window === window && known.limit === rate.limit) return known;
  const fresh = {
    ...{ window, limit: rate.limit, left: 0, taken: 0, isUsedUp: false },
    refill: undefined,
  };
  shares.set(key, fresh);
  return fresh;
}

const wantedOf = ({ limit, taken }: Share, uses: number) =>
  Math.max(uses, 1, Math.min(Math.ceil(limit / 10), Math.floor((limit - taken) / 4)));

/** Requests of a clock that is a window behind count in the window that has started; a window far in the future is ignored. */
const isOver = sql.raw(
  "(k.rate_window is null or k.rate_window < w.number or k.rate_window > w.number + 1)",
);

/** Takes shares of several keys' windows in one statement. A key that gets none has used up its window. */
async function takeShares(tenantId: string, wanted: Map<string, { share: Share; size: number }>) {
  const ids = [...wanted.keys()].sort();
  const of = (value: (id: string) => number) => sql.param(ids.map(value));
  const windows = of((id) => wanted.get(id)?.share.window ?? 0);
  const sizes = of((id) => wanted.get(id)?.size ?? 0);
  const { rows } = await db().execute<{ id: string; taken: number; limit: number }>(
    sql`update api_keys k set rate_window = case when ${isOver} then w.number else k.rate_window end,
        rate_taken = case when ${isOver} then w.size else k.rate_taken + w.size end
      from unnest(${sql.param(ids)}::text[], ${windows}::bigint[], ${sizes}::integer[]) as w (id, number, size)
      where k.tenant_id = ${tenantId} and k.api_key_id = w.id and k.rate_limit is not null and (${isOver} or k.rate_taken < k.rate_limit)
      returning k.api_key_id as id, k.rate_taken as taken, k.rate_limit as limit`,
  );
  const granted = new Map(rows.map((row) => [row.id, row]));
  for (const [id, { share, size }] of wanted) {
    const row = granted.get(id);
    const free = row ? row.limit - (row.taken - size) : 0;
    share.taken = row ? Math.min(row.limit, row.taken) : share.limit;
    share.left += Math.max(0, Math.min(size, free));
    share.isUsedUp = free <= size;
  }
}

/** Takes one share, however many requests wait for the same key. */
async function refill(tenantId: string, missing: readonly { id: string; share: Share }[]) {
  const wanted = new Map<string, { share: Share; size: number }>();
  const waiting = missing.flatMap(({ share }) => share.refill ?? []);
  for (const { id, share } of missing) {
    if (share.refill) continue;
    const uses = missing.filter((one) => one.share === share).length;
    wanted.set(id, { share, size: wantedOf(share, uses) });
  }
  if (wanted.size > 0) {
    const asked = takeShares(tenantId, wanted).finally(() => {
      for (const { share } of wanted.values()) share.refill = undefined;
    });
    for (const { share } of wanted.values()) share.refill = asked;
    waiting.push(asked);
  }
  await Promise.all(waiting);
}

/** Counts uses of keys against their limits, and returns which of them are within. Rejects with the store's error if it is unavailable. */
export async function countKeyUses(
  tenantId: string,
  uses: readonly LimitedUse[],
  shares = ownShares(),
): Promise<boolean[]> {
  const admitted = uses.map(() => false);
  for (let round = 0; ; round += 1) {
    const missing: { id: string; share: Share }[] = [];
    for (const [index, use] of uses.entries()) {
      if (admitted[index]) continue;
      const share = shareOf(shares, tenantId, use);
      if (share.left > 0) {
        share.left -= 1;
        admitted[index] = true;
      } else if (!share.isUsedUp) missing.push({ id: use.apiKeyId, share });
    }
    if (missing.length === 0) return admitted;
    // Other waiting requests used up the whole share: at this rate the window will soon be used up.
    if (uses.length > 1 && round >= maxRefills) return admitted;
    await refill(tenantId, missing);
  }
}

/** 429 with the time until the key's next window starts. */
function rejection({ rate }: LimitedUse): ApiError {
  const { limit, windowSeconds } = rate;
  const end = (windowAt(Date.now(), rate) + 1) * windowSeconds;
  const seconds = Math.max(1, Math.ceil(end - Date.now() / 1000));
  const headers = {
    ...rateLimitHeaders(
      "api-key",
      { quota: limit, window: windowSeconds },
      { remaining: 0, seconds },
    ),
    "Retry-After": String(seconds),
  };
  const detail = `This API key is limited to ${limit} requests in ${windowSeconds} s. Wait ${seconds} s.`;
  return new ApiError("rate-limit.api-key-exceeded", detail, "api-key", { headers });
}

/** Throws 429 for a key that has used up its own limit. */
export async function assertKeyRate(tenantId: string, use: LimitedUse): Promise<void> {
  const [isWithin] = await countKeyUses(tenantId, [use]);
  if (!isWithin) throw rejection(use);
}

/** Milliseconds until the key's window ends. */
export const windowEndsInMs = ({ windowSeconds }: KeyRateLimit, now = Date.now()): number =>
  windowSeconds * 1000 - (now % (windowSeconds * 1000));

/**
 * Takes further uses in advance, for a caller that admits requests itself: at most the unused part of this process's
 * share, so it needs no statement and never exceeds the limit.
 */
export function takeFurtherUses(
  tenantId: string,
  use: LimitedUse,
  wanted: number,
  shares = ownShares(),
): number {
  const share = shareOf(shares, tenantId, use);
  const taken = Math.min(share.left, wanted);
  share.left -= taken;
  return taken;
}
