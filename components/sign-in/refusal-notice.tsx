"use client";

import { useEffect, useState } from "react";
import { ErrorNotice } from "@/components/ui/error-notice";
import { refusalWords } from "./refusal-words";
import type { Refusal } from "./sign-in-call";

interface RefusalNoticeProps {
  refusal: Refusal;
  onWaited: () => void;
}

/** Why the sign-in was refused; with a countdown where one has to wait. */
export function RefusalNotice({ refusal, onWaited }: RefusalNoticeProps) {
  const [seconds, setSeconds] = useState(refusal.retryAfterSeconds ?? 0);
  const [endsAt] = useState(() => Date.now() + (refusal.retryAfterSeconds ?? 0) * 1000);
  useEffect(() => {
    if (refusal.retryAfterSeconds === undefined) return;
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setSeconds(left);
      if (left > 0) return;
      clearInterval(timer);
      onWaited();
    }, 250);
    return () => clearInterval(timer);
  }, [refusal, endsAt, onWaited]);
  const words = refusalWords(refusal);
  if (refusal.retryAfterSeconds === undefined)
    return <ErrorNotice {...words} requestId={refusal.requestId} />;
  const detail =
    seconds > 0
      ? `Try again in ${waitWords(seconds)}. Open sessions keep working.`
      : "You can try again now.";
  return (
    <ErrorNotice
      title="Too many failed sign-ins"
      detail={<span className="figures">{detail}</span>}
      requestId={refusal.requestId}
    />
  );
}

function waitWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
