"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { notify } from "@/components/ui/toast";
import { CallError } from "@/lib/catalogue/client";
import type { KeyDialogProps } from "./key-dialogs";
import type { NewKey } from "./key-formats";
import { SecretDialog } from "./secret-dialog";

/** Gives the key to another user. The secret changes, and is shown only where the new owner is a service user. */
export function HandOverDialog({ apiKey, callable, onDone, onClose }: KeyDialogProps) {
  return (
    <SecretDialog
      title={`Hand over key "${apiKey.name}"`}
      description="The key gets its new owner's rights and its current secret expires now. A person gets the key suspended and rotates it; a service user's new secret is shown to you once."
      callable={callable}
      form={(onMade) => (
        <HandOverForm apiKey={apiKey} onMade={onMade} onDone={onDone} onCancel={onClose} />
      )}
      onMade={onDone}
      onClose={onClose}
    />
  );
}

interface HandOverFormProps extends Pick<KeyDialogProps, "apiKey"> {
  onMade: (key: NewKey) => void;
  /** Handed over without a secret to show. */
  onDone: () => void;
  onCancel: () => void;
}

function HandOverForm({ apiKey, onMade, onDone, onCancel }: HandOverFormProps) {
  const { view, call } = usePortal();
  const [login, setLogin] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const found = useQuery({
    queryKey: [view.tenant, "users-by-login", login],
    queryFn: ({ signal }) =>
      call("GET /v1/user/list", { query: { q: login, limit: "20" }, signal }),
    enabled: login.trim().length > 0,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const heir = found.data?.find(
      (user) => user.login.toLowerCase() === login.trim().toLowerCase(),
    );
    if (busy) return;
    if (!heir) return setError("Nobody in this tenant has this login.");
    setBusy(true);
    try {
      const params = { apiKeyId: apiKey.apiKeyId };
      const made = await call("POST /v1/user/api-keys/{apiKeyId}/handover", {
        params,
        body: { userId: heir.id },
      });
      if (made.apiKey !== undefined)
        return onMade({ ...made, apiKey: made.apiKey, name: apiKey.name });
      onDone();
      onCancel();
      void notify(`Key "${apiKey.name}" handed over. ${heir.name} must rotate it before it works.`);
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown.message);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {error ? <ErrorNotice title="The key was not handed over" detail={error} /> : null}
      <Field
        label="Login of the new owner"
        hint="You must hold every permission that the new owner holds."
      >
        {(control) => (
          <Input
            {...control}
            list="heirs"
            required
            autoComplete="off"
            spellCheck={false}
            value={login}
            onChange={(event) => setLogin(event.target.value)}
            data-autofocus
          />
        )}
      </Field>
      <datalist id="heirs">
        {found.data?.map((user) => (
          <option key={user.id} value={user.login}>
            {user.name}
          </option>
        ))}
      </datalist>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="primary" busy={busy}>
          Hand over key
        </Button>
      </DialogActions>
    </form>
  );
}
