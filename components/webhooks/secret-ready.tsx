"use client";

import { useState } from "react";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { CodeBlock } from "@/components/ui/code-block";
import { StoredActions } from "@/components/ui/stored-actions";

/** The secret of a webhook, shown until somebody says that it is stored. */
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
