"use client";

import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { notify } from "@/components/ui/toast";
import { type CareProps, useCustomerActions } from "./customer-actions";

/** Signs the customer out everywhere; signing in again stays possible. */
export function EndSessionsDialog({
  customer,
  site,
  onClose,
}: CareProps & { onClose: () => void }) {
  const { endSessions } = useCustomerActions(site, customer.id);
  const done = () => {
    onClose();
    void notify(t("Signed out everywhere"));
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("Sign out {name} everywhere", { name: customer.name ?? customer.login })}
    >
      <p className="text-control">
        {plural(
          customer.sessions.length,
          "1 device is signed out within a second. The customer can sign in again with the password.",
          "{count} devices are signed out within a second. The customer can sign in again with the password.",
        )}
      </p>
      {endSessions.error ? (
        <div className="mt-4">
          <CallFailed title={t("Customer not signed out")} error={endSessions.error} />
        </div>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button
          tone="final"
          busy={endSessions.isPending}
          onClick={() => endSessions.mutate(undefined, { onSuccess: done })}
        >
          {t("Sign out everywhere")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
