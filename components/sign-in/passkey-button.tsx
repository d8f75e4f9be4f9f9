"use client";

import { KeyRound } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";

const never = () => () => undefined;
const canUsePasskeys = () => "PublicKeyCredential" in window;

interface PasskeyButtonProps {
  onClick: () => Promise<void>;
  children: ReactNode;
}

/** Asks for a passkey, where the browser has them: none has without https, and without scripts there is no button. */
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
