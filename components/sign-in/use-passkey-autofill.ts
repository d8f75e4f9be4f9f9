"use client";

import { useEffect, useEffectEvent, useState } from "react";

import { canUsePasskeys } from "./passkey-button";

/** A challenge is good for five minutes: then the offer is made again. */
const renewMs = 240_000;

async function canAutofill(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  return (await window.PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/** Offers the passkeys of the page where the browser fills in the login, for the tenant that is named; nothing for "". */
export function usePasskeyAutofill(tenant: string, onChosen: (proof: unknown) => void): void {
  const [round, setRound] = useState(0);
  const chosen = useEffectEvent(onChosen);
  useEffect(() => {
    if (tenant === "") return;
    let isOver = false;
    let end: (() => void) | undefined;
    const offer = async () => {
      if (!(await canAutofill())) return;
      const browser = await import("./passkey-browser");
      if (isOver) return;
      end = browser.endOffer;
      const proof = await browser.offerPasskeys(tenant);
      if (proof && !isOver) chosen(proof);
    };
    void offer();
    const timer = setTimeout(() => setRound(round + 1), renewMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
      end?.();
    };
  }, [tenant, round]);
}
