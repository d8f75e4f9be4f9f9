/** The reason why code did not load: the service is unreachable, or a newer build has replaced the file. */
export type PartFailure = "unreachable" | "replaced";

/** Code that loads after the page. */
export interface Part<Module> {
  /** The code once it has loaded. */
  module: () => Module | undefined;
  /** The reason why the last attempt failed; undefined while none has failed, and once the code has loaded. */
  failure: () => PartFailure | undefined;
  /** Starts loading. Resolves after the first attempt, whether it succeeded or not. */
  load: () => Promise<void>;
  /** The code, however many attempts it takes. */
  arrival: () => Promise<Module>;
  /** Tries again now instead of after the pause. */
  retry: () => void;
  subscribe: (listener: () => void) => () => void;
}

const chunkAddress = /\/_next\/static\/[^\s"']+\.(?:js|css)/;

/** Requests the file that did not load: a missing one belongs to an older build. */
export async function whyMissing(error: unknown): Promise<PartFailure> {
  const address = chunkAddress.exec(String(error))?.[0];
  if (address === undefined) return "unreachable";
  const answer = await fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  return answer?.status === 404 ? "replaced" : "unreachable";
}

const pausesMs = [250, 500, 1000, 2000];

/** Waits a little longer after each attempt; ends early when the connection is back or `hurry` is called. */
function pauseAfter(attempt: number, onHurry: (hurry: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pausesMs[attempt] ?? pausesMs.at(-1));
    const hurry = () => {
      clearTimeout(timer);
      resolve();
    };
    onHurry(hurry);
    globalThis.addEventListener?.("online", hurry, { once: true });
  });
}

/**
 * Loads code once, with retries after growing pauses. Stops only when a newer build has replaced it.
 *
 * @example const dialog = createPart(() => import("./dialog").then((module) => module.Dialog));
 */
export function createPart<Module>(load: () => Promise<Module>, why = whyMissing): Part<Module> {
  let module: Module | undefined;
  let failure: PartFailure | undefined;
  let firstAttempt: Promise<void> | undefined;
  let hurry: () => void = () => undefined;
  const arrivals: ((arrived: Module) => void)[] = [];
  const listeners = new Set<() => void>();
  const attempt = async () => {
    try {
      module = await load();
      failure = undefined;
      for (const resolve of arrivals.splice(0)) resolve(module);
    } catch (error) {
      failure = await why(error);
    }
    for (const listener of listeners) listener();
  };
  const goOn = async () => {
    for (let attempts = 0; failure === "unreachable"; attempts++) {
      await pauseAfter(attempts, (wake) => {
        hurry = wake;
      });
      await attempt();
    }
  };
  const start = () => {
    firstAttempt ??= attempt().then(() => void goOn());
    return firstAttempt;
  };
  return {
    module: () => module,
    failure: () => failure,
    load: start,
    arrival: async () => {
      await start();
      return module ?? new Promise((resolve) => arrivals.push(resolve));
    },
    retry: () => hurry(),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
