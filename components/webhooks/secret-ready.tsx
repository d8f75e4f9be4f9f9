"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CodeBlock } from "@/components/ui/code-block";
import { DialogActions } from "@/components/ui/dialog";

/** The secret of a webhook, shown until somebody says that it is stored. */
export function SecretReady({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [isStored, setIsStored] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock code={secret} label="secret" />
      <p className="text-body text-muted">
        Verify the header <code>webhook-signature</code> of each delivery with it, for example with
        a library of Standard Webhooks.
      </p>
      <DialogActions>
        <span className="flex-1">
          <Checkbox
            label="I have stored it"
            checked={isStored}
            onChange={(event) => setIsStored(event.target.checked)}
          />
        </span>
        <Button tone="primary" disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
