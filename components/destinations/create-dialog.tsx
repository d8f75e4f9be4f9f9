"use client";

import { type ReactNode, useState } from "react";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog } from "@/components/ui/dialog";
import { StoredActions } from "@/components/ui/stored-actions";

interface CreateDialogProps {
  title: string;
  /** Replaces the title once it is created and has a secret. */
  ready: string;
  description: string;
  form: (onCreated: (secret: string) => void) => ReactNode;
  onClose: () => void;
}

/** Creates a webhook or a stream, and shows its secret once. */
export function CreateDialog({ title, ready, description, form, onClose }: CreateDialogProps) {
  const [secret, setSecret] = useState<string>();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => secret === undefined}
      title={secret ? ready : title}
      description={
        secret ? t("This is the only time the secret is shown. Store it now.") : description
      }
    >
      {secret ? <SecretReady secret={secret} onDone={onClose} /> : form(setSecret)}
    </Dialog>
  );
}

/** The signing secret of deliveries, shown until the user confirms that it is stored. */
export function SecretReady({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [isStored, setIsStored] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock code={secret} label={t("secret")} />
      <p className="text-body text-muted">
        {rich(
          "Verify the header {code} of each delivery with it, for example with a library of Standard Webhooks.",
          { code: <code>webhook-signature</code> },
        )}
      </p>
      <StoredActions isStored={isStored} onStored={setIsStored} onDone={onDone} />
    </div>
  );
}
