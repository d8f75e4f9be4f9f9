"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { TextField } from "@/components/ui/form/field";
import { useAction } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import { userKeys } from "@/components/users/query-keys";
import { CallError } from "@/lib/catalogue/client";
import type { User } from "@/lib/features/users/contract";
import type { KeyDialogProps } from "./key-dialog-props";
import type { NewKey } from "./key-formats";
import { SecretDialog } from "./secret-dialog";

/** Hands the key over to another user. The secret changes, and is shown only where the new owner is a service user. */
export function HandOverDialog({ apiKey, callable, onDone, onClose }: KeyDialogProps) {
  return (
    <SecretDialog
      title={t('Hand over key "{name}"', { name: apiKey.name })}
      description={t(
        "The current secret expires immediately and the key takes on its new owner's permissions. A person receives the key suspended and rotates it. For a service user, you see the new secret once.",
      )}
      callable={callable}
      whose="managed"
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
  /** Called when the key was handed over and there is no secret to show. */
  onDone: () => void;
  onCancel: () => void;
}

function useUsersByLogin(login: string) {
  const { view, call } = usePortal();
  return useQuery({
    queryKey: userKeys.byLogin(view.tenant, login),
    queryFn: ({ signal }) =>
      call("GET /v1/user/list", { query: { q: login, sort: "match", limit: "6" }, signal }),
    enabled: login.trim().length > 0,
  });
}

/** The user with exactly this login. Throws when there is none. */
function heirOf(users: User[] | undefined, login: string): User {
  const wanted = login.trim().toLowerCase();
  const heir = users?.find((user) => user.login.toLowerCase() === wanted);
  if (heir) return heir;
  throw new CallError(404, "user.not-found", "No user in this tenant has this login.");
}

function HandOverForm({ apiKey, onMade, onDone, onCancel }: HandOverFormProps) {
  const { call } = usePortal();
  const [login, setLogin] = useState("");
  const found = useUsersByLogin(login);
  const { busy, error, submit } = useAction(async () => {
    const heir = heirOf(found.data, login);
    const created = await call("POST /v1/user/api-keys/{apiKeyId}/handover", {
      params: { apiKeyId: apiKey.apiKeyId },
      body: { userId: heir.id },
    });
    if (created.apiKey !== undefined)
      return onMade({ ...created, apiKey: created.apiKey, name: apiKey.name });
    onDone();
    onCancel();
    const [name, name2] = [apiKey.name, heir.name];
    void notify(
      t('Key "{name}" handed over. {name2} must rotate it before it works.', { name, name2 }),
    );
  });
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The key was not handed over")} error={error} /> : null}
      <TextField
        label={t("Login of the new owner")}
        hint={t("You need every permission that the new owner has.")}
        list="heirs"
        required
        autoComplete="off"
        spellCheck={false}
        value={login}
        onChange={(event) => setLogin(event.target.value)}
        data-autofocus
      />
      <datalist id="heirs">
        {found.data?.map((user) => (
          <option key={user.id} value={user.login}>
            {user.name}
          </option>
        ))}
      </datalist>
      <DialogActions>
        <Button onClick={onCancel}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t("Hand over key")}
        </Button>
      </DialogActions>
    </form>
  );
}
