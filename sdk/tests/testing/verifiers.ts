import { expect } from "vitest";
import { createClient, type Verifier, type VerifierOptions } from "@/sdk/src/index.js";

/** All requests of a verifier go through here, where a test can count and block them. */
export class Network {
  readonly sent: string[] = [];
  /** Requests to these paths fail before they are sent. */
  cut: RegExp | undefined;
  /** Drops the response to the next request to this path. */
  lose: RegExp | undefined;

  /** Delays responses of these paths until this resolves. */
  hold: { path: RegExp; until: Promise<void> } | undefined;

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (this.cut?.test(pathname)) throw new TypeError("cut off");
    this.sent.push(pathname);
    const response = await fetch(input, init);
    if (this.hold?.path.test(pathname)) await this.hold.until;
    if (!this.lose?.test(pathname)) return response;
    this.lose = undefined;
    throw new TypeError("the response was lost");
  };

  count = (path: string) => this.sent.filter((one) => one.endsWith(path)).length;
}

interface Place {
  url: string;
  tenant: string;
  verifyKey: string;
}

/** Opens verifiers for the tests of one file; `close` ends them. */
export function verifiersAt(place: () => Place) {
  const opened: Verifier[] = [];
  return {
    open(network = new Network(), options: VerifierOptions = {}): Verifier {
      const { url, tenant, verifyKey } = place();
      const client = createClient({ url, tenant, fetch: network.fetch, maxRetries: 1 });
      const verifier = client.verifier({
        apiKey: verifyKey,
        reportIntervalMs: 600_000,
        ...options,
      });
      opened.push(verifier);
      return verifier;
    },
    close: () => Promise.all(opened.splice(0).map((verifier) => verifier.close())),
  };
}

/** Verifies until the answer comes from memory: answers are cached from two seconds after the start of the feed. */
export async function warm(
  verifier: Verifier,
  network: Network,
  apiKey: string,
  { site, ...more }: { site?: string; address?: string } = {},
) {
  const place = site === undefined ? ({ wholeTenant: true } as const) : { site };
  await expect
    .poll(
      async () => {
        const before = network.count("/verify");
        await verifier.verify({ apiKey, ...place, ...more });
        return network.count("/verify") - before;
      },
      { interval: 100 },
    )
    .toBe(0);
}
