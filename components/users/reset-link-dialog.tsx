"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { OneTimeLink } from "./one-time-link";
import type { UserDialogProps } from "./user-dialogs";

/** Makes the link with which somebody sets a password, and shows it once. */
export function ResetLinkDialog({ user, site, onClose }: UserDialogProps) {
  const { call } = usePortal();
  const [link, setLink] = useState<{ url: string; expiresAt: string }>();
  const what = user.state === "invited" ? "invitation link" : "password reset link";
  const make = async () =>
    setLink(await call("POST /v1/user/{id}/password-reset", { site, params: { id: user.id } }));
  if (link) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={`The ${what} for ${user.name}`}
        description="Share it with no one else."
      >
        <OneTimeLink {...link} />
        <DialogActions>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <ActionDialog
      title={`Create a ${what} for ${user.name}`}
      confirm="Create link"
      failed="Link not created"
      onConfirm={make}
      onClose={() => undefined}
      onCancel={onClose}
    >
      <p className="text-control">
        Anyone with the link can set the password of {user.login}. Using it ends every session of
        the user; an earlier link is void.
      </p>
    </ActionDialog>
  );
}
