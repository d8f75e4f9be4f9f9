"use client";

import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { downloadText } from "@/components/ui/download-text";

interface RecoveryCodesProps {
  codes: string[];
  onDone: () => void;
}

/** The dialog of codes that are shown once. */
export function RecoveryCodesDialog({ codes, onDone }: RecoveryCodesProps) {
  return (
    <Dialog open onOpenChange={onDone} title={t("Your recovery codes")}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Dialog>
  );
}

/** The codes, with buttons to copy or save them. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-control">
        {t(
          "Keep these codes where you find them without your phone. Each signs you in once, and they are shown only now.",
        )}
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control border border-border p-4 font-mono text-control">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton
          text={text}
          label={t("Copy recovery codes")}
          words={t("Copy")}
          tone="secondary"
        />
        <Button onClick={() => downloadText(text, "gatehouse-recovery-codes.txt")}>
          {t("Download")}
        </Button>
        <Button tone="primary" onClick={onDone}>
          {t("I have kept them")}
        </Button>
      </DialogActions>
    </div>
  );
}
