"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { notify } from "@/components/ui/toast";
import type { CareProps } from "./customer-actions";
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
