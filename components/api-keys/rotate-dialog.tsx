"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { labelled, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Segmented } from "@/components/ui/form/segmented";
import { useAction } from "@/components/ui/form/use-action";
import { Notice } from "@/components/ui/notice";
import type { KeyDialogProps } from "./key-dialog-props";
import type { NewKey } from "./key-formats";
import { SecretDialog } from "./secret-dialog";

export const overlaps = [
  { value: "PT0S", label: msg("0 (expire now)") },
  { value: "PT1H", label: msg("1 hour") },
  { value: "P1D", label: msg("1 day") },
  { value: "P7D", label: msg("7 days") },
  { value: "P30D", label: msg("30 days") },
] as const;

export type Overlap = (typeof overlaps)[number]["value"];

export const rotations = {
  own: "POST /v1/user/profile/api-keys/{apiKeyId}/rotate",
  managed: "POST /v1/user/api-keys/{apiKeyId}/rotate",
} as const;

/** Rotates the secret under the same id, with an overlap to update every client. */
export function RotateDialog({ apiKey, whose, callable, onDone, onClose }: KeyDialogProps) {
  return (
    <SecretDialog
      title={t('Rotate key "{name}"', { name: apiKey.name })}
      description={t("The key gets a new secret and keeps its id, name and expiration.")}
      callable={callable}
      whose={whose}
      form={(onMade) => (
        <RotateForm apiKey={apiKey} whose={whose} onMade={onMade} onCancel={onClose} />
      )}
      onMade={onDone}
      onClose={onClose}
    />
  );
}

interface RotateFormProps extends Pick<KeyDialogProps, "apiKey" | "whose"> {
  onMade: (key: NewKey) => void;
  onCancel: () => void;
}

function RotateForm({ apiKey, whose, onMade, onCancel }: RotateFormProps) {
  const { call } = usePortal();
  const [overlap, setOverlap] = useState<Overlap>("P1D");
  const { busy, error, submit } = useAction(async () => {
    const params = { apiKeyId: apiKey.apiKeyId };
    const {
      apiKey: secret,
      apiKeyId,
      validTo,
    } = await call(rotations[whose], {
      params,
      body: { overlap },
    });
    onMade({ apiKey: secret, apiKeyId, validTo, name: apiKey.name });
  });
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The key was not rotated")} error={error} /> : null}
      <CurrentSecret apiKey={apiKey} overlap={overlap} onOverlap={setOverlap} />
      {apiKey.previousValidTo ? (
        <Notice tone="warning">
          {t("The previous secret is still valid. It expires when you rotate the key.")}
        </Notice>
      ) : null}
      <DialogActions>
        <Button onClick={onCancel}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t("Rotate key")}
        </Button>
      </DialogActions>
    </form>
  );
}

interface CurrentSecretProps extends Pick<KeyDialogProps, "apiKey"> {
  overlap: Overlap;
  onOverlap: (overlap: Overlap) => void;
}

/** The overlap for the current secret: a choice, unless it is unknown or leaked. */
function CurrentSecret({ apiKey, overlap, onOverlap }: CurrentSecretProps) {
  if (apiKey.handedOver)
    return (
      <Notice tone="neutral">
        {t("Nobody has this key's secret. Rotating creates one and ends the suspension.")}
      </Notice>
    );
  if (apiKey.rotationRequired)
    return (
      <Notice tone="warning">
        {t(
          "The current secret was reported as leaked and expires immediately. Resume the key after rotating it.",
        )}
      </Notice>
    );
  return (
    <Segmented
      legend={t("Keep the current secret valid for")}
      name="overlap"
      options={labelled(overlaps)}
      value={overlap}
      onChange={onOverlap}
    />
  );
}
