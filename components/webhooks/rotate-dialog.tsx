"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import { useAction } from "@/components/ui/use-action";
import { SecretReady } from "./secret-ready";

const overlaps = [
  { value: "PT0S", label: "0 (expire now)" },
  { value: "PT1H", label: "1 hour" },
  { value: "P1D", label: "1 day" },
  { value: "P7D", label: "7 days" },
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
      title={secret ? "The new secret" : "Rotate secret"}
      description={
        secret
          ? "This is the only time the secret is shown. Store it now."
          : "Deliveries are signed with both secrets until the current one expires."
      }
    >
      {secret ? (
        <SecretReady secret={secret} onDone={onClose} />
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          {error ? <CallFailed title="The secret was not rotated" error={error} /> : null}
          <Segmented
            legend="Keep the current secret valid for"
            name="overlap"
            options={overlaps}
            value={overlap}
            onChange={setOverlap}
          />
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" tone="primary" busy={busy}>
              Rotate secret
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}
