"use client";

import { type FormEvent, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeField, proofOf } from "./code-field";
import { FailureNotice } from "./failure-notice";
import { PasskeyButton } from "./passkey-button";
import { finishSignIn, type SignInFailure } from "./sign-in-call";

/** A sign-in whose password was right. */
export interface PendingSignIn {
  tenant: string;
  login: string;
  /** Set when the first step was a form sent without scripts; otherwise it is in a cookie. */
  challenge?: string;
}

interface CodeFormProps {
  pending: PendingSignIn;
  /** The failure of a form that was sent without scripts. */
  problem?: SignInFailure | undefined;
  onSignedIn: () => void | Promise<void>;
  /** Returns to the password: because the challenge has expired, or because the user chose to. */
  onBack: (failure?: SignInFailure) => void;
}

/** The second step of a sign-in. */
export function CodeForm({ pending, problem, onSignedIn, onBack }: CodeFormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState(problem);
  const [attempts, setAttempts] = useState(0);
  const [isWaiting, setIsWaiting] = useState(false);
  const finish = async (proof: Record<string, string>) => {
    const rejected = await finishSignIn({ ...pending, ...proof });
    if (rejected?.code === "auth.challenge-invalid") return onBack(rejected);
    setAttempts(attempts + 1);
    setFailure(rejected);
    setIsWaiting(rejected?.retryAfterSeconds !== undefined);
    if (!rejected) await onSignedIn();
    setBusy(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || isWaiting) return;
    const typed = String(new FormData(event.currentTarget).get("code") ?? "");
    setBusy(true);
    void finish(proofOf(typed));
  };
  const askForPasskey = async () => {
    const { askPasskey } = await import("./passkey-browser");
    const { proof, failure: refused } = await askPasskey(pending.tenant);
    if (proof) return finish({ passkey: JSON.stringify(proof) });
    setAttempts(attempts + 1);
    setFailure(refused);
  };
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {failure ? (
        <FailureNotice key={attempts} failure={failure} onWaited={() => setIsWaiting(false)} />
      ) : null}
      <input type="hidden" name="step" value="second-factor" />
      {Object.entries(pending).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <CodeField />
      <Button type="submit" tone="primary" busy={busy} disabled={isWaiting} className="h-9 w-full">
        {t("Continue")}
      </Button>
      <PasskeyButton onClick={askForPasskey}>{t("Use a passkey")}</PasskeyButton>
      <Button tone="quiet" onClick={() => onBack()}>
        {t("Back to the password")}
      </Button>
    </form>
  );
}
