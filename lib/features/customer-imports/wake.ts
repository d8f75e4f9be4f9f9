import { perProcess } from "@/lib/protocol/per-process";

const wakes = perProcess("import-wakes", () => new Set<() => void>());

/** Calls back when an import was created in this process; the result ends that. */
export function onWake(wake: () => void): () => void {
  wakes().add(wake);
  return () => {
    wakes().delete(wake);
  };
}

/** Has this process look for imports at once. */
export function wakeImports(): void {
  for (const wake of wakes()) wake();
}
