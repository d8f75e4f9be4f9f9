"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { EraseDialog } from "@/components/ui/form/erase-dialog";
import { Instant } from "@/components/ui/instant";
import { notify } from "@/components/ui/toast";
import { type CareProps, useCustomerActions } from "./customer-actions";
import { ProfileFields, profileFields, profileOf } from "./profile-fields";
import { customerKeys } from "./query-keys";

/** Changes name and e-mail address of a customer without showing what they are. */
export function EditDialog({ customer, site, onClose }: CareProps & { onClose: () => void }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const { id } = customer;
  const change = async (values: FormData) => {
    const changed = await call("PATCH /v1/customers/{id}", {
      site,
      params: { id },
      body: profileOf(values),
    });
    queries.setQueryData(customerKeys.one(view.tenant, site, id), changed);
    await queries.invalidateQueries({ queryKey: customerKeys.lists(view.tenant, site) });
    void notify(t("Customer changed"));
  };
  return (
    <ActionDialog
      title={t("Edit {name}", { name: customer.name ?? customer.login })}
      description={t(
        "Leave a field empty to keep what it is. The audit trail names the fields that changed.",
      )}
      confirm={t("Save changes")}
      failed={t("The customer was not changed")}
      fields={profileFields}
      onConfirm={change}
      onClose={onClose}
    >
      {(errors) => (
        <ProfileFields
          errors={errors}
          hint={t(
            "Replaces all e-mail addresses of the customer, and voids password tokens that were sent.",
          )}
        />
      )}
    </ActionDialog>
  );
}

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

/** Erases a customer on request; it cannot be undone, so the id is typed. */
export function EraseCustomer({ customer, site, onClose }: CareProps & { onClose: () => void }) {
  const { view, call } = usePortal();
  const router = useRouter();
  const queries = useQueryClient();
  const erase = async (reason: string) => {
    await call("DELETE /v1/customers/{id}", {
      site,
      params: { id: customer.id },
      body: { reason },
    });
    await queries.invalidateQueries({ queryKey: customerKeys.all(view.tenant) });
    router.push(`/t/${view.tenant}/sites/${site}/customers`);
    void notify(t("Customer erased"));
  };
  return (
    <EraseDialog
      title={t("Erase {name}", { name: customer.name ?? customer.login })}
      description={t(
        "Deletes the profile, sign-ins and activity at every site. This cannot be undone.",
      )}
      confirm={t("Erase customer")}
      failed={t("The customer was not erased")}
      expected={customer.id}
      what={t("the customer's id")}
      onErase={erase}
      onClose={onClose}
    >
      {t("The audit trail keeps the customer's id, that you erased the customer, and the reason.")}
    </EraseDialog>
  );
}

/** The token exists only in this dialog: closing discards it, and another one can be created. */
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
