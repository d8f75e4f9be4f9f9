import type { Gatehouse, Revocation, Verdict } from "./client.js";
import { nextOf } from "./pages.js";

const pollMs = 400;
/** Delays: after a failure; between pages. */
const soonMs = 100;
const pageSize = 200;
/** The maximum age of the feed's data. */
const maxAgeMs = 1000;
/**
 * The service's responses may be a second old. A response and a feed item can cross in transit,
 * so an item also applies to responses requested within this time after it.
 */
const crossingMs = 2000;

interface Change {
  effect: Revocation["effect"];
  receivedAt: number;
}

/** Follows GET /v1/access/revocations. `onItems` is called before the feed counts as fresh up to its items. */
export class RevocationFeed {
  private readonly client: Gatehouse;
  private readonly onItems: (ids: ReadonlySet<string> | "everything") => void;
  private readonly onError: (error: unknown) => void;
  private readonly recent = new Map<string, Change>();
  /** The time of the last item that invalidates everything. Infinite until the feed has started: no response may be cached before. */
  private everythingAt = Number.POSITIVE_INFINITY;
  private position: string | undefined;
  private freshUntil = Number.NEGATIVE_INFINITY;
  private freshUntilWall = Number.NEGATIVE_INFINITY;
  private isStopped = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    client: Gatehouse,
    onItems: (ids: ReadonlySet<string> | "everything") => void,
    onError: (error: unknown) => void,
  ) {
    this.client = client;
    this.onItems = onItems;
    this.onError = onError;
    void this.run();
  }

  /** Whether the last poll started within a second: by the monotonic clock, and by the wall clock in case the device slept. */
  isFresh(now: number): boolean {
    return now < this.freshUntil && Date.now() < this.freshUntilWall;
  }

  /** The effect of recent feed items on a response requested at that time. */
  changeSince({ credentialId, subject }: Verdict, askedAt: number): Change["effect"] | undefined {
    const since = askedAt - crossingMs;
    const found = [credentialId, subject].flatMap((id) => this.recent.get(id ?? "") ?? []);
    const changes = found.filter(({ receivedAt }) => receivedAt > since);
    if (changes.some(({ effect }) => effect === "ended")) return "ended";
    return changes.length > 0 || this.everythingAt > since ? "changed" : undefined;
  }

  stop(): void {
    this.isStopped = true;
    this.freshUntil = Number.NEGATIVE_INFINITY;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    const startedAt = performance.now();
    let pause = soonMs;
    try {
      const isComplete = await this.poll(startedAt);
      pause = isComplete ? Math.max(0, pollMs - (performance.now() - startedAt)) : 0;
    } catch (error) {
      this.onError(error);
    }
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.run(), pause);
    (this.timer as { unref?: () => void }).unref?.();
  }

  /** Reads one page; returns whether it is the last. */
  private async poll(startedAt: number): Promise<boolean> {
    const wall = Date.now();
    const { position } = this;
    const input = position === undefined ? {} : { after: position, limit: pageSize };
    const limits = { timeoutMs: maxAgeMs - soonMs, maxRetries: 0 };
    const { data, headers } = await this.client.exchange(
      "GET /v1/access/revocations",
      input,
      limits,
    );
    if (this.isStopped) return true;
    // The feed starts now: earlier changes are in no item, and responses may lack them for another second.
    if (position === undefined) this.everythingAt = performance.now();
    this.apply(data);
    this.position = nextOf(headers, "after") ?? data.at(-1)?.id ?? position;
    const isComplete = data.length < pageSize;
    if (isComplete) {
      this.freshUntil = startedAt + maxAgeMs;
      this.freshUntilWall = wall + maxAgeMs;
    }
    return isComplete;
  }

  private apply(items: readonly Revocation[]): void {
    const receivedAt = performance.now();
    for (const [id, change] of this.recent)
      if (change.receivedAt < receivedAt - 30_000) this.recent.delete(id);
    if (items.length === 0) return;
    if (items.some(({ subjectKind }) => subjectKind === "tenant")) {
      this.everythingAt = receivedAt;
      this.onItems("everything");
    }
    for (const { subjectId, effect } of items) {
      const isEnded = effect === "ended" || this.recent.get(subjectId)?.effect === "ended";
      this.recent.set(subjectId, { effect: isEnded ? "ended" : "changed", receivedAt });
    }
    this.onItems(new Set(items.map(({ subjectId }) => subjectId)));
  }
}
