"use client";

import { useEffect, useState } from "react";
import { t } from "@/components/texts/t";
import { ErrorNotice } from "@/components/ui/error-notice";
import { failureWords } from "./failure-words";
import type { SignInFailure } from "./sign-in-call";

interface FailureNoticeProps {
  failure: SignInFailure;
  onWaited: () => void;
}

/** The reason why the sign-in was rejected, with a countdown when the user has to wait. */
export function FailureNotice({ failure, onWaited }: FailureNoticeProps) {
  const [seconds, setSeconds] = useState(failure.retryAfterSeconds ?? 0);
  const [endsAt] = useState(() => Date.now() + (failure.retryAfterSeconds ?? 0) * 1000);
  useEffect(() => {
    if (failure.retryAfterSeconds === undefined) return;
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
      setSeconds(left);
      if (left > 0) return;
      clearInterval(timer);
      onWaited();
    }, 250);
    return () => clearInterval(timer);
  }, [failure, endsAt, onWaited]);
  const words = failureWords(failure);
  if (failure.retryAfterSeconds === undefined)
    return <ErrorNotice {...words} requestId={failure.requestId} />;
  const detail =
    seconds > 0
      ? t("Try again in {time}. Open sessions keep working.", { time: waitWords(seconds) })
      : t("You can try again now.");
  return (
    <ErrorNotice
      title={t("Too many failed sign-ins")}
      detail={<span className="figures">{detail}</span>}
      requestId={failure.requestId}
    />
  );
}

function waitWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0
    ? t("{minutes} min {seconds} s", { minutes, seconds: seconds % 60 })
    : `${seconds} s`;
}
