"use client";

import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { notify } from "@/components/ui/toast";
import { noteKind } from "@/lib/features/metrics/values";
import type { Marker } from "./load";

interface RemoveMarkerProps {
  marker: Marker;
  onRemoved: () => Promise<unknown>;
  onClose: () => void;
}

const ofNote = {
  remove: msg("Remove note"),
  keep: msg("Keep note"),
  removed: msg("The note was removed"),
  failed: msg("The note was not removed"),
};

const ofMarker = {
  remove: msg("Remove marker"),
  keep: msg("Keep marker"),
  removed: msg("The marker was removed"),
  failed: msg("The marker was not removed"),
};

/** Confirms before removing a marker from the charts of all users. */
export function RemoveMarker({ marker, onRemoved, onClose }: RemoveMarkerProps) {
  const { call } = usePortal();
  const { id, title, kind } = marker;
  const texts = kind === noteKind ? ofNote : ofMarker;
  const remove = async () => {
    await call("DELETE /v1/api-metrics/markers/{id}", { params: { id } });
    await onRemoved();
    void notify(t(texts.removed));
  };
  return (
    <ActionDialog
      title={t(texts.remove)}
      confirm={t(texts.remove)}
      keep={t(texts.keep)}
      danger
      failed={t(texts.failed)}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="wrap-anywhere text-control">
        {t('"{title}" goes from the charts of everybody in this tenant.', { title })}
      </p>
    </ActionDialog>
  );
}
