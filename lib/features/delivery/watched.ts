import { perProcess } from "@/lib/protocol/per-process";

type Wake = (tenantId: string) => void;

const wakes = perProcess("delivery-wakes", () => new Set<Wake>());

/** Subscribes to changes of a tenant's destinations in this process; returns an unsubscribe function. */
export function onWake(wake: Wake): () => void {
  wakes().add(wake);
  return () => {
    wakes().delete(wake);
  };
}

/** Has the engine of this process look at a tenant's destinations at its next turn. */
export function wakeTenant(tenantId: string): void {
  for (const wake of wakes()) wake(tenantId);
}
