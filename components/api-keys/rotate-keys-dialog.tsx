"use client";

import { Download } from "lucide-react";
import { type FormEvent, useCallback, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { labelled, msg, plural, t } from "@/components/texts/t";
import { Affected } from "@/components/ui/affected";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { downloadText } from "@/components/ui/download-text";
import { Segmented } from "@/components/ui/form/segmented";
import { Notice } from "@/components/ui/notice";
import { Outcomes, useOutcomes } from "@/components/ui/outcomes";
import { StoredActions } from "@/components/ui/stored-actions";
import { type ListedKey, type SecretFormat, secretsAs } from "./bulk-keys";
import { KeyUse } from "./key-facts";
import { masked, type NewKey } from "./key-formats";
import { useLeaveGuard } from "./leave-guard";
import { useKeysChanged } from "./revoke";
import { type Overlap, overlaps, rotations } from "./rotate-dialog";
import type { Whose } from "./suspend";

interface RotateKeysDialogProps {
  keys: ListedKey[];
  whose: Whose;
  onClose: () => void;
}

const idOf = ({ apiKeyId }: ListedKey) => apiKeyId;
const nameOf = ({ name }: ListedKey) => name;

/** Rotates each key. The values exist only in this component's state; each rotation is one call and one audit entry. */
function useRotation(keys: ListedKey[], whose: Whose) {
  const { call } = usePortal();
  const { outcomes, isRunning, run } = useOutcomes(keys, useKeysChanged());
  const [secrets, setSecrets] = useState<NewKey[]>([]);
  const rotate = (overlap: Overlap) =>
    run(async ({ apiKeyId, name }) => {
      const request = { params: { apiKeyId }, body: { overlap } };
      const { apiKey, validTo } = await call(rotations[whose], request);
      setSecrets((before) => [...before, { apiKey, apiKeyId, validTo, name }]);
    });
  return { outcomes, secrets, isRunning, rotate };
}

/** New secrets for many keys, shown once and guarded until the user confirms that they are stored. */
export function RotateKeysDialog({ keys, whose, onClose }: RotateKeysDialogProps) {
  const { outcomes, secrets, isRunning, rotate } = useRotation(keys, whose);
  const [warned, setWarned] = useState(0);
  const warn = useCallback(() => setWarned((times) => times + 1), []);
  const isHeld = isRunning || secrets.length > 0;
  useLeaveGuard(isHeld, warn);
  const mayLeave = () => {
    if (isHeld) warn();
    return !isHeld;
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={mayLeave}
      title={plural(keys.length, "Rotate 1 key", "Rotate {count} keys")}
      description={
        secrets.length > 0
          ? t("This is the only time the keys are shown. Store them now.")
          : t("Each key gets a new secret and keeps its id, name and expiration.")
      }
    >
      {outcomes ? (
        <div className="flex flex-col gap-4">
          <Outcomes outcomes={outcomes} total={keys.length} keyOf={idOf} nameOf={nameOf} />
          {isRunning ? null : <NewSecrets secrets={secrets} warned={warned} onDone={onClose} />}
        </div>
      ) : (
        <RotateForm keys={keys} onRotate={rotate} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface RotateFormProps {
  keys: ListedKey[];
  onRotate: (overlap: Overlap) => Promise<void>;
  onCancel: () => void;
}

function RotateForm({ keys, onRotate, onCancel }: RotateFormProps) {
  const [overlap, setOverlap] = useState<Overlap>("P1D");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onRotate(overlap);
  };
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      <Affected
        title={t("Affected keys")}
        items={keys.map((key) => ({
          id: key.apiKeyId,
          name: key.name,
          detail: <KeyUse apiKey={key} />,
        }))}
      />
      <Segmented
        legend={t("Keep the current secrets valid for")}
        name="overlap"
        options={labelled(overlaps)}
        value={overlap}
        onChange={setOverlap}
      />
      <DialogActions>
        <Button onClick={onCancel}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary">
          {plural(keys.length, "Rotate 1 key", "Rotate {count} keys")}
        </Button>
      </DialogActions>
    </form>
  );
}

const formats = [
  { value: "env", label: msg(".env") },
  { value: "json", label: msg("JSON") },
  { value: "csv", label: msg("CSV") },
] as const;

interface NewSecretsProps {
  secrets: NewKey[];
  /** The number of attempts to leave. */
  warned: number;
  onDone: () => void;
}

/** The new secrets to copy or download: masked on screen, whole in the copy. */
function NewSecrets({ secrets, warned, onDone }: NewSecretsProps) {
  const [format, setFormat] = useState<SecretFormat>("env");
  const [isStored, setIsStored] = useState(false);
  if (secrets.length === 0)
    return (
      <DialogActions>
        <Button tone="primary" onClick={onDone}>
          {t("Close")}
        </Button>
      </DialogActions>
    );
  return (
    <>
      <Segmented
        legend={t("Copy as")}
        name="format"
        options={labelled(formats)}
        value={format}
        onChange={setFormat}
      />
      <pre className="max-h-56 overflow-y-auto whitespace-pre-wrap break-all rounded-control border border-border-strong bg-surface px-3 py-2.5 text-body">
        <code>
          {secretsAs(
            format,
            secrets.map((key) => ({ ...key, apiKey: masked(key.apiKey) })),
          ).trimEnd()}
        </code>
      </pre>
      <TakeSecrets secrets={secrets} format={format} />
      <div role="alert">
        {warned > 0 && !isStored ? (
          <Notice tone="warning">
            {t(
              "The keys are still on screen and cannot be shown again. Store them, tick the box, then choose Done. If you lose one, rotate it again.",
            )}
          </Notice>
        ) : null}
      </div>
      <StoredActions isStored={isStored} onStored={setIsStored} onDone={onDone} />
    </>
  );
}

function TakeSecrets({ secrets, format }: { secrets: NewKey[]; format: SecretFormat }) {
  return (
    <div className="flex flex-wrap gap-2">
      <CopyButton
        text={() => secretsAs(format, secrets)}
        label={t("Copy keys")}
        words={t("Copy")}
        tone="primary"
      />
      <Button
        onClick={() => downloadText(secretsAs(format, secrets), `api-keys.${format}`)}
        icon={<Download aria-hidden="true" className="size-4" />}
      >
        {t("Download")}
      </Button>
    </div>
  );
}
