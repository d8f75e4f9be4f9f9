"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";

function forgetAsked(): void {
  const address = new URL(window.location.href);
  address.searchParams.delete("do");
  address.searchParams.delete("key");
  window.history.replaceState(null, "", address);
}

/**
 * The action whose dialog is open: chosen on the page, or named in the address, for example by the palette (`?do=lock`).
 * Closing removes it from the address.
 *
 * @param key The id of this API key, on pages with several of which the address names one (`?key=...`).
 */
export function useAskedAction<Action extends string>(
  offered: readonly Action[],
  key?: string,
): [Action | undefined, (next: Action | undefined) => void] {
  const params = useSearchParams();
  const asked = params.get("do");
  const [chosen, setChosen] = useState<Action>();
  const isMeant = key === undefined || params.get("key") === key;
  const fromAddress = isMeant ? offered.find((one) => one === asked) : undefined;
  const choose = (next: Action | undefined) => {
    setChosen(next);
    if (asked !== null) forgetAsked();
  };
  return [chosen ?? fromAddress, choose];
}
