"use client";

import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";

interface LeaveDialogProps {
  isKept: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Says what happens to unsaved edits on leaving. */
export function LeaveDialog({ isKept, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog open onOpenChange={onStay} title={t("Leave with unsaved edits?")}>
      <p className="text-control">
        {isKept
          ? t("They stay on this device and are restored when you come back.")
          : t("This browser cannot store them. They will be lost.")}
      </p>
      <DialogActions>
        <Button onClick={onStay}>{t("Stay")}</Button>
        <Button tone={isKept ? "primary" : "danger"} onClick={onLeave}>
          {t("Leave")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
