"use client";

import { useMutation } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Instant } from "@/components/ui/instant";
import type { CareProps } from "./customer-actions";

/** The token lives in this dialog alone: closing it forgets it, and another one can be made. */
export function PasswordTokenDialog({
  customer,
  site,
  onClose,
}: CareProps & { onClose: () => void }) {
  const { call } = usePortal();
  const make = useMutation({
    mutationFn: () =>
      call("POST /v1/customers/{id}/password-token", { site, params: { id: customer.id } }),
    gcTime: 0,
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`A password token for ${customer.name ?? customer.login}`}
    >
      {make.data ? (
        <div className="flex flex-col gap-3">
          <p className="text-control">
            Send it to the customer by your own mailer. It sets one new password until{" "}
            <Instant at={make.data.expiresAt} form="full" />, and ends every sign-in then. It is
            shown only now.
          </p>
          <CodeBlock label="password token" code={make.data.token} />
        </div>
      ) : (
        <p className="text-control">
          Whoever holds the token may set a new password for this customer. One made before stops
          working. That you made it is recorded.
        </p>
      )}
      {make.error ? (
        <div className="mt-4">
          <CallFailed title="No token was made" error={make.error} />
        </div>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{make.data ? "Done" : "Cancel"}</Button>
        {make.data ? null : (
          <Button tone="primary" busy={make.isPending} onClick={() => make.mutate()}>
            Make token
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
