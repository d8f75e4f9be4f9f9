"use client";

import { useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/text-field";

/** What was typed, as the API takes it: the digits of an app, or else a recovery code. */
export function proofOf(typed: string): { code: string } | { recoveryCode: string } {
  const code = typed.replace(/\s/g, "");
  return /^[0-9]{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() };
}

/** The code of a second factor; a recovery code fits too, without scripts as well. */
export function CodeField({ error }: { error?: string | undefined }) {
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <TextField
          key={String(isRecovery)}
          label={isRecovery ? t("Recovery code") : t("Code")}
          hint={
            isRecovery
              ? t("One of the ten codes that you kept. Each works once.")
              : t("The 6 digits that your authenticator app shows now.")
          }
          name="code"
          required
          autoFocus
          isCode
          maxLength={32}
          autoComplete={isRecovery ? "off" : "one-time-code"}
          inputMode={isRecovery ? "text" : "numeric"}
          error={error}
        />
      </div>
      <Button tone="quiet" onClick={() => setIsRecovery(!isRecovery)}>
        {isRecovery ? t("Use the authenticator app") : t("Use a recovery code")}
      </Button>
    </div>
  );
}
