"use client";

import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";

interface LeaveDialogProps {
  isKept: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** What becomes of unsaved edits, before they are left. */
export function LeaveDialog({ isKept, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog open onOpenChange={onStay} title="Leave with unsaved edits?">
      <p className="text-control">
        {isKept
          ? "They stay on this device and are restored when you come back."
          : "This browser cannot store them. They will be lost."}
      </p>
      <DialogActions>
        <Button onClick={onStay}>Stay</Button>
        <Button tone={isKept ? "primary" : "danger"} onClick={onLeave}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  );
}
