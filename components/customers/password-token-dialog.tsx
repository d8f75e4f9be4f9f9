"use client";

import { useMutation } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import type { CareProps } from "./customer-actions";

/** The token exists only in this dialog: closing it forgets it, and another one can be created. */
export function PasswordTokenDialog({
  customer,
  site,
  onClose,
}: CareProps & { onClose: () => void }) {
  const { call } = usePortal();
  const create = useMutation({
    mutationFn: () =>
      call("POST /v1/customers/{id}/password-token", { site, params: { id: customer.id } }),
    gcTime: 0,
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("Password reset token for {name}", { name: customer.name ?? customer.login })}
    >
      {create.data ? (
        <div className="flex flex-col gap-3">
          <p className="text-control">
            {rich(
              "Send it to the customer with your own mail system. It can set a new password once, until {when}, and signs the customer out everywhere. It is not shown again.",
              { when: <Instant at={create.data.expiresAt} form="full" /> },
            )}
          </p>
          <CodeBlock label={t("password token")} code={create.data.token} />
        </div>
      ) : (
        <p className="text-control">
          {t(
            "Anyone with this token can set a new password for this customer. Earlier tokens stop working. Creating a token is recorded with your name.",
          )}
        </p>
      )}
      {create.error ? (
        <div className="mt-4">
          <CallFailed title={t("Token not created")} error={create.error} />
        </div>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{create.data ? t("Done") : t("Cancel")}</Button>
        {create.data ? null : (
          <Button tone="primary" busy={create.isPending} onClick={() => create.mutate()}>
            {t("Create token")}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
