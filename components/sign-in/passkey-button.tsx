"use client";

import { KeyRound } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";

const never = () => () => undefined;

/** Browsers support passkeys only over HTTPS and for host names, not for IP addresses. */
export const canUsePasskeys = (): boolean =>
  "PublicKeyCredential" in window && !/^\[|^[\d.]+$/.test(window.location.hostname);

interface PasskeyButtonProps {
  onClick: () => Promise<void>;
  children: ReactNode;
}

/** A button that asks for a passkey, if the browser supports them; absent without scripts. */
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
