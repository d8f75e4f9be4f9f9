"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { notify } from "@/components/ui/toast";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";
import type { CareProps } from "./customer-actions";
import { customerKeys } from "./query-keys";

/** Erases a customer on request; it cannot be undone, so the id is typed. */
export function EraseDialog({ customer, site, onClose }: CareProps & { onClose: () => void }) {
  const { view, call } = usePortal();
  const router = useRouter();
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const erase = async (form: FormData) => {
    const body = { reason: String(form.get("reason")).trim() };
    await call("DELETE /v1/customers/{id}", { site, params: { id: customer.id }, body });
    await queries.invalidateQueries({ queryKey: customerKeys.all(view.tenant) });
    router.push(`/t/${view.tenant}/sites/${site}/customers`);
    void notify(t("Customer erased"));
  };
  return (
    <ActionDialog
      title={t("Erase {name}", { name: customer.name ?? customer.login })}
      description={t(
        "Deletes the profile, sign-ins and activity at every site. This cannot be undone.",
      )}
      confirm={t("Erase customer")}
      danger
      disabled={typed !== customer.id}
      failed={t("The customer was not erased")}
      onConfirm={erase}
      onClose={onClose}
    >
      <p className="text-control">
        {t(
          "The audit trail keeps the customer's id, that you erased the customer, and the reason.",
        )}
      </p>
      <Field
        label={t("Reason")}
        hint={t("Stays in the audit trail. Enter a ticket number, not a name or an address.")}
      >
        {(control) => <Input {...control} name="reason" required maxLength={256} data-autofocus />}
      </Field>
      <TypedConfirmation
        expected={customer.id}
        what={t("the customer's id")}
        value={typed}
        onChange={setTyped}
      />
    </ActionDialog>
  );
}
