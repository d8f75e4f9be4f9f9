"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import { ProfileFields, profileFields, profileOf } from "./profile-fields";
import { customerKeys } from "./query-keys";

/** Creates a customer, who signs in by a password token. */
export function NewCustomerDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const { view, call } = usePortal();
  const router = useRouter();
  const queries = useQueryClient();
  const create = async (values: FormData) => {
    const body = { login: textOf(values, "login"), ...profileOf(values) };
    const { id } = await call("POST /v1/customers", { site, body });
    await queries.invalidateQueries({ queryKey: customerKeys.lists(view.tenant, site) });
    router.push(`/t/${view.tenant}/sites/${site}/customers/${id}`);
    void notify(t("Customer created"));
  };
  return (
    <ActionDialog
      title={t("Create customer")}
      description={t(
        "The customer has no password. Create a password reset token afterwards and send it.",
      )}
      confirm={t("Create customer")}
      draft={`customer-${site}`}
      failed={t("The customer was not created")}
      fields={["/login", ...profileFields]}
      onConfirm={create}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            name="login"
            label={t("Login")}
            hint={t("Often the e-mail address. It must be unique in the tenant.")}
            isCode
            required
            maxLength={128}
            error={errors["/login"]}
            data-autofocus
          />
          <ProfileFields errors={errors} />
        </>
      )}
    </ActionDialog>
  );
}
