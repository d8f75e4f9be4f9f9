"use client";

import { KeyRound } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";

const never = () => () => undefined;

/** Browsers have passkeys with https, and for names: at an address they make and offer none. */
export const canUsePasskeys = (): boolean =>
  "PublicKeyCredential" in window && !/^\[|^[\d.]+$/.test(window.location.hostname);

interface PasskeyButtonProps {
  onClick: () => Promise<void>;
  children: ReactNode;
}

/** Asks for a passkey, where the browser has them; without scripts there is no button. */
export function PasskeyButton({ onClick, children }: PasskeyButtonProps) {
  const isShown = useSyncExternalStore(never, canUsePasskeys, () => false);
  const [busy, setBusy] = useState(false);
  if (!isShown) return null;
  const click = async () => {
    setBusy(true);
    await onClick().finally(() => setBusy(false));
  };
  return (
    <Button busy={busy} onClick={() => void click()} className="h-9 w-full">
      <KeyRound aria-hidden className="size-4" />
      {children}
    </Button>
  );
}
