"use client";

import { useState } from "react";
import { rich } from "@/components/texts/rich";
import { labelled, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Segmented } from "@/components/ui/form/segmented";
import { useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { CallError } from "@/lib/catalogue/client";
import { SecretReady } from "./create-dialog";

const overlaps = [
  { value: "PT0S", label: msg("0 (expire now)") },
  { value: "PT1H", label: msg("1 hour") },
  { value: "P1D", label: msg("1 day") },
  { value: "P7D", label: msg("7 days") },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

const inProgress = ["webhook.rotation-in-progress", "audit-stream.rotation-in-progress"];

/** The end of the previous secret's validity, when that is why the rotation was rejected. */
function endOfOverlap(error: unknown): string {
  if (error instanceof CallError && inProgress.includes(error.code)) return error.reason ?? "";
  throw error;
}

/** Warns that a rotation within the overlap of the last one ends the previous secret. */
const StillValid = ({ until }: { until: string }) => (
  <div role="alert">
    <Notice tone="warning">
      {rich(
        "The secret before the last rotation is valid until {when}. Receivers that still use it reject deliveries if you rotate again now.",
        { when: <Instant at={until} form="full" /> },
      )}
    </Notice>
  </div>
);

export interface Rotation {
  overlap: Overlap;
  force: boolean;
}

interface RotateDialogProps {
  /** Creates a new secret; the current one stays valid for the overlap. */
  rotate: (asked: Rotation) => Promise<{ secret: string }>;
  onDone: () => void;
  onClose: () => void;
}

/** Rotates the secret; deliveries are signed with both until the receiver has switched. */
export function RotateDialog({ rotate, onDone, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>("P1D");
  const [secret, setSecret] = useState<string>();
  const [until, setUntil] = useState<string>();
  const { busy, error, submit } = useAction(async () => {
    const renewed = await rotate({ overlap, force: until !== undefined }).catch(endOfOverlap);
    if (typeof renewed === "string") return setUntil(renewed);
    setSecret(renewed.secret);
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
          {until ? <StillValid until={until} /> : null}
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
              {until ? t("Rotate and end it now") : t("Rotate secret")}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
