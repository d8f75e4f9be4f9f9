"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The state of a view in the address: text by name, "" when absent. */
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
    // Includes parameters that the router does not know, such as the peeked row.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries<string | undefined>(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    // Changes only the address: the view fetches its data itself, even when the page server is unreachable.
    window.history.replaceState(null, "", next.size > 0 ? `${path}?${next}` : path);
  };
  return [state, set];
}
