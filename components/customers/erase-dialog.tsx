"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { EraseDialog } from "@/components/ui/form/erase-dialog";
import { notify } from "@/components/ui/toast";
import type { CareProps } from "./customer-actions";
import { customerKeys } from "./query-keys";

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
