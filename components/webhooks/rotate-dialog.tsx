"use client";

import { useState } from "react";
import { labelled, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import { useAction } from "@/components/ui/use-action";
import { SecretReady } from "./secret-ready";

const overlaps = [
  { value: "PT0S", label: msg("0 (expire now)") },
  { value: "PT1H", label: msg("1 hour") },
  { value: "P1D", label: msg("1 day") },
  { value: "P7D", label: msg("7 days") },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

interface RotateDialogProps {
  /** Gives a new secret; the current one goes on for the overlap. */
  rotate: (overlap: Overlap) => Promise<{ secret: string }>;
  onDone: () => void;
  onClose: () => void;
}

/** A new secret; deliveries carry a signature of both for as long as the receiver needs to change over. */
export function RotateDialog({ rotate, onDone, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>("P1D");
  const [secret, setSecret] = useState<string>();
  const { busy, error, submit } = useAction(async () => {
    setSecret((await rotate(overlap)).secret);
    onDone();
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => secret === undefined}
      title={secret ? t("The new secret") : t("Rotate secret")}
      description={
        secret
          ? t("This is the only time the secret is shown. Store it now.")
          : t("Deliveries are signed with both secrets until the current one expires.")
      }
    >
      {secret ? (
        <SecretReady secret={secret} onDone={onClose} />
      ) : (
        <form method="post" onSubmit={submit} className="flex flex-col gap-4">
          {error ? <CallFailed title={t("The secret was not rotated")} error={error} /> : null}
          <Segmented
            legend={t("Keep the current secret valid for")}
            name="overlap"
            options={labelled(overlaps)}
            value={overlap}
            onChange={setOverlap}
          />
          <DialogActions>
            <Button onClick={onClose}>{t("Cancel")}</Button>
            <Button type="submit" tone="primary" busy={busy}>
              {t("Rotate secret")}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
