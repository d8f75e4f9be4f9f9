"use client";

import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { plural, t } from "@/components/texts/t";
import { Affected } from "@/components/ui/affected";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TypedConfirmation } from "@/components/ui/form/erase-dialog";
import { Outcomes, useOutcomes } from "@/components/ui/outcomes";
import type { ListedKey } from "./bulk-keys";
import { KeyUse } from "./key-facts";
import { useKeysChanged } from "./revoke";
import { operations, type Whose } from "./suspend";

interface RevokeKeysDialogProps {
  keys: ListedKey[];
  whose: Whose;
  onClose: () => void;
}

const idOf = ({ apiKeyId }: ListedKey) => apiKeyId;
const nameOf = ({ name }: ListedKey) => name;

/** Revokes many keys at once and without Undo, so their number is typed. Each revocation is one call and one audit entry. */
export function RevokeKeysDialog({ keys, whose, onClose }: RevokeKeysDialogProps) {
  const { call } = usePortal();
  const { outcomes, isRunning, run } = useOutcomes(keys, useKeysChanged());
  const title = plural(keys.length, "Revoke 1 key", "Revoke {count} keys");
  const revoke = () =>
    run(({ apiKeyId }) => call(operations[whose].revoke, { params: { apiKeyId } }));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => !isRunning}
      title={title}
      description={t(
        "Programs that use them are rejected within a second. A revoked key cannot be restored.",
      )}
    >
      {outcomes ? (
        <Outcomes
          outcomes={outcomes}
          total={keys.length}
          keyOf={idOf}
          nameOf={nameOf}
          onClose={onClose}
        />
      ) : (
        <RevokeForm keys={keys} title={title} onRevoke={revoke} onCancel={onClose} />
      )}
    </Dialog>
  );
}

interface RevokeFormProps {
  keys: ListedKey[];
  title: string;
  onRevoke: () => Promise<void>;
  onCancel: () => void;
}

function RevokeForm({ keys, title, onRevoke, onCancel }: RevokeFormProps) {
  const [typed, setTyped] = useState("");
  const expected = String(keys.length);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === expected) void onRevoke();
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
      <TypedConfirmation
        expected={expected}
        what={t("the number of keys")}
        value={typed}
        onChange={setTyped}
      />
      <DialogActions>
        <Button onClick={onCancel}>{t("Keep keys")}</Button>
        <Button type="submit" tone="final" disabled={typed !== expected}>
          {title}
        </Button>
      </DialogActions>
    </form>
  );
}
