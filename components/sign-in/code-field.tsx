"use client";

import { useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/field";

/** The input in the API's format: the digits of an app, otherwise a recovery code. */
export function proofOf(typed: string): { code: string } | { recoveryCode: string } {
  const code = typed.replace(/\s/g, "");
  return /^[0-9]{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() };
}

interface AppCodeFieldProps {
  error?: string | undefined;
  autoFocus?: boolean;
  /** In a dialog, which sets the focus by itself. */
  "data-autofocus"?: boolean;
}

/** The digits of an authenticator app. */
export const AppCodeField = (props: AppCodeFieldProps) => (
  <TextField
    label={t("Code")}
    hint={t("The 6 digits that your authenticator app shows now.")}
    name="code"
    required
    isCode
    maxLength={16}
    autoComplete="one-time-code"
    inputMode="numeric"
    {...props}
  />
);

/** The code of a second factor; a recovery code is accepted too, also without scripts. */
export function CodeField({ error }: { error?: string | undefined }) {
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        {isRecovery ? (
          <TextField
            label={t("Recovery code")}
            hint={t("One of the ten codes that you kept. Each works once.")}
            name="code"
            required
            autoFocus
            isCode
            maxLength={32}
            autoComplete="off"
            error={error}
          />
        ) : (
          <AppCodeField autoFocus error={error} />
        )}
      </div>
      <Button tone="quiet" onClick={() => setIsRecovery(!isRecovery)}>
        {isRecovery ? t("Use the authenticator app") : t("Use a recovery code")}
      </Button>
    </div>
  );
}
