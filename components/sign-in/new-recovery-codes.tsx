"use client";

import { RecoveryCodes } from "@/components/second-factors/recovery-codes";
import { t } from "@/components/texts/t";

interface NewRecoveryCodesProps {
  codes: string[];
  onKept: () => Promise<void>;
}

/** The last step of a sign-in that set up the first second factor: codes that are shown once. Without scripts a link opens the portal. */
export function NewRecoveryCodes({ codes, onKept }: NewRecoveryCodesProps) {
  return (
    <>
      <h1 className="mb-4 text-title">{t("Your recovery codes")}</h1>
      <RecoveryCodes codes={codes} onDone={() => void onKept()} />
    </>
  );
}
