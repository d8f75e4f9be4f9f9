"use client";

import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { notify } from "@/components/ui/toast";
import { noteKind } from "@/lib/features/markers/values";
import type { Marker } from "./load";

interface RemoveMarkerProps {
  marker: Marker;
  onRemoved: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before a marker goes from the charts of everybody. */
export function RemoveMarker({ marker, onRemoved, onClose }: RemoveMarkerProps) {
  const { call } = usePortal();
  const { id, title, kind } = marker;
  const what = kind === noteKind ? "note" : "marker";
  const remove = async () => {
    await call("DELETE /v1/api-metrics/markers/{id}", { params: { id } });
    await onRemoved();
    void notify(`The ${what} was removed`);
  };
  return (
    <ActionDialog
      title={`Remove ${what}`}
      confirm={`Remove ${what}`}
      keep={`Keep ${what}`}
      danger
      failed={`The ${what} was not removed`}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className="wrap-anywhere text-control">
        "{title}" goes from the charts of everybody in this tenant.
      </p>
    </ActionDialog>
  );
}
