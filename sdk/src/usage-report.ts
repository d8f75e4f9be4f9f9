import type { Gatehouse, Verdict } from "./client.js";
import { isGatehouseError } from "./errors.js";
import type { UsageReport } from "./generated-types.js";

const maxUses = 1000;
/** The maximum number of unsent batches to retry; older ones are dropped. */
const maxWaiting = 20;

interface Use {
  credentialId: string;
  kind: "apiKey" | "session" | "bearer";
  operation: string | undefined;
  address: string | undefined;
  count: number;
  at: number;
}

interface Options {
  service: string;
  intervalMs: number;
  onError: (error: unknown) => void;
}

const isPassing = (error: unknown) =>
  isGatehouseError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Counts uses and reports them in batches; a batch that is sent twice is counted once. */
export class UsageReporter {
  private readonly client: Gatehouse;
  private readonly options: Options;
  private uses = new Map<string, Use>();
  private waiting: UsageReport[] = [];
  private sending: Promise<void> = Promise.resolve();
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(client: Gatehouse, options: Options) {
    this.client = client;
    this.options = options;
    this.timer = setInterval(() => void this.flush(), options.intervalMs);
    (this.timer as { unref?: () => void }).unref?.();
  }

  count({ credentialId, kind }: Verdict, operation?: string, address?: string): void {
    // The last use of customers' access tokens is not recorded.
    if (credentialId === undefined || kind === undefined || kind === "customer") return;
    const name = operation === undefined ? credentialId : `${credentialId} ${operation}`;
    const use = this.uses.get(name);
    if (use) {
      use.count += 1;
      use.at = Date.now();
      use.address = address;
      return;
    }
    this.uses.set(name, { credentialId, kind, operation, address, count: 1, at: Date.now() });
    if (this.uses.size >= maxUses) void this.flush();
  }

  /** Sends the counted uses. */
  flush(): Promise<void> {
    if (this.uses.size > 0) {
      const uses = [...this.uses.values()].map(({ at, operation, address, ...use }) => ({
        ...use,
        lastUsedAt: new Date(at).toISOString(),
        ...(operation !== undefined && { operation }),
        ...(address !== undefined && { address }),
      }));
      this.uses = new Map();
      const { service } = this.options;
      this.waiting.push({ batchId: crypto.randomUUID(), service, uses });
      this.waiting = this.waiting.slice(-maxWaiting);
    }
    this.sending = this.sending.then(() => this.send());
    return this.sending;
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    return this.flush();
  }

  private async send(): Promise<void> {
    for (let body = this.waiting[0]; body !== undefined; body = this.waiting[0]) {
      try {
        await this.client.call("POST /v1/access/usage", { body });
      } catch (error) {
        this.options.onError(error);
        if (isPassing(error)) return;
      }
      this.waiting = this.waiting.filter((one) => one !== body);
    }
  }
}
