"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { GenerateForm } from "./generate-form";
import { forgetKeyDraft, keyDraftName } from "./key-draft";
import { SecretDialog } from "./secret-dialog";
import type { CallableOperation } from "./what-it-can-call";

interface GenerateDialogProps {
  callable: CallableOperation[];
  /** The service user that the key is for; absent for the current user. */
  forUser?: { id: string; name: string };
  onCreated: () => void;
  onClose: () => void;
  returnFocus: () => void;
}

/** Creates a key for the user or a service user. Input is kept until the key is created; only the Cancel button discards it. */
export function GenerateDialog({
  callable,
  forUser,
  onCreated,
  onClose,
  returnFocus,
}: GenerateDialogProps) {
  const { view } = usePortal();
  const draftName = keyDraftName(view.tenant, view.user.id, forUser?.id);
  const forgetting = (then: () => void) => () => {
    forgetKeyDraft(draftName);
    then();
  };
  const who = forUser
    ? t("as {name}, with the roles of that user", { name: forUser.name })
    : t("in your name, with your roles");
  return (
    <SecretDialog
      title={t("Generate API key")}
      description={t("The key acts {who} until it expires or is revoked.", { who })}
      callable={callable}
      whose={forUser === undefined ? "own" : "managed"}
      form={(onMade) => (
        <GenerateForm
          callable={callable}
          draftName={draftName}
          forUser={forUser?.id}
          onCancel={forgetting(onClose)}
          onCreated={onMade}
        />
      )}
      onMade={forgetting(onCreated)}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  );
}
