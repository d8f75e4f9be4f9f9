"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** What of a view lives in the address: text by name, "" where it is absent. */
export function useAddress<Name extends string>(
  names: readonly Name[],
): [Record<Name, string>, (change: Partial<Record<Name, string>>) => void] {
  const path = usePathname();
  const asked = useSearchParams();
  const state = Object.fromEntries(names.map((name) => [name, asked.get(name) ?? ""])) as Record<
    Name,
    string
  >;
  const set = (change: Partial<Record<Name, string>>) => {
    // What the router does not know is there too: the peeked row.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries<string | undefined>(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    // Only the address changes: the view reads what it needs itself, also when the server of pages is away.
    window.history.replaceState(null, "", next.size > 0 ? `${path}?${next}` : path);
  };
  return [state, set];
}
