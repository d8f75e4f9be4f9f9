/** The start of the outage; undefined while the service responds. */
let lostAt: number | undefined;
let probing: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: number | undefined): void {
  if ((lostAt === undefined) === (next === undefined)) return;
  lostAt = next;
  for (const listener of listeners) listener();
}

/** The timeout of a probe: a network that drops requests reports no error. */
const probeLimitMs = 4000;

async function probe(): Promise<void> {
  probing = undefined;
  const signal = AbortSignal.timeout(probeLimitMs);
  const alive = await fetch("/healthz", { cache: "no-store", signal }).then(
    (response) => response.ok,
    () => false,
  );
  if (alive) change(undefined);
  else look();
}

function look(): void {
  if (probing === undefined) probing = setTimeout(() => void probe(), 1500);
}

/** Called after a request without a response; probes until there is one. */
export function connectionLost(): void {
  change(Date.now());
  look();
}

export const connection = {
  subscribe: (listener: () => void) => {
    const recheck = () => void probe();
    listeners.add(listener);
    window.addEventListener("offline", connectionLost);
    window.addEventListener("online", recheck);
    return () => {
      listeners.delete(listener);
      window.removeEventListener("offline", connectionLost);
      window.removeEventListener("online", recheck);
    };
  },
  lostAt: () => lostAt,
};
