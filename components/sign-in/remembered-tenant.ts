import { useSyncExternalStore } from "react";

const name = "gatehouse.tenant";

export function rememberTenant(tenant: string): void {
  try {
    localStorage.setItem(name, tenant);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

function remembered(): string {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** The tenant this browser signed in to last; undefined until the page runs in the browser. */
export function useRememberedTenant(): string | undefined {
  return useSyncExternalStore<string | undefined>(
    () => () => undefined,
    remembered,
    () => undefined,
  );
}
