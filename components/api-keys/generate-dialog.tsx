"use client";

import { GenerateForm } from "./generate-form";
import { SecretDialog } from "./secret-dialog";
import type { CallableOperation } from "./what-it-can-call";

interface GenerateDialogProps {
  callable: CallableOperation[];
  /** The service user that the key is for; absent for one's own. */
  forUser?: { id: string; name: string };
  onCreated: () => void;
  onClose: () => void;
  returnFocus: () => void;
}

/** Makes a key, one's own or a service user's. */
export function GenerateDialog({ callable, forUser, onCreated, onClose, returnFocus }: GenerateDialogProps) {
  const who = forUser ? `as ${forUser.name}, with the roles of that user` : "in your name, with your roles";
  return (
    <SecretDialog
      title="Generate API key"
      description={`It acts ${who}, until it expires or somebody revokes it.`}
      callable={callable}
      form={(onMade) => <GenerateForm callable={callable} forUser={forUser?.id} onCancel={onClose} onCreated={onMade} />}
      onMade={onCreated}
      onClose={onClose}
      returnFocus={returnFocus}
    />
  );
}
