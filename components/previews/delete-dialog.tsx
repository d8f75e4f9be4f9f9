"use client";

import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import type { Preview } from "@/lib/features/previews/contract";
import { usePreviewActions } from "./preview-actions";

interface DeleteDialogProps {
  preview: Preview;
  site: string;
  onClose: () => void;
  onDeleted?: () => void;
}

/** States the consequence first; it can be undone for 30 days, so no confirmation is typed. */
export function DeleteDialog({ preview, site, onClose, onDeleted }: DeleteDialogProps) {
  const { remove } = usePreviewActions(site);
  const confirm = () =>
    remove.mutate(preview, {
      onSuccess: () => {
        onClose();
        onDeleted?.();
      },
    });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Delete preview "{title}"', { title: preview.title || preview.key })}
    >
      <p className="text-control">
        {rich(
          "{login} changed it {when}. Programs that read {key} of {site} get 404 from now on. It can be restored, with its history, for 30 days.",
          {
            login: preview.updatedBy.login,
            when: <Instant at={preview.updatedAt} />,
            key: preview.key,
            site,
          },
        )}
      </p>
      {remove.error ? (
        <div className="mt-4">
          <CallFailed title={t("The preview was not deleted")} error={remove.error} />
        </div>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{t("Keep preview")}</Button>
        <Button tone="final" busy={remove.isPending} onClick={confirm}>
          {t("Delete preview")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
