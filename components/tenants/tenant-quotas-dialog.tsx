"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Input } from "@/components/ui/form/field";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import type { Quota } from "@/lib/features/quotas/contract";
import { quotas as known } from "@/lib/features/quotas/values";
import { QuotasTable } from "./quotas-table";

/** A tenant's use and its limits, which support can change. */
export function TenantQuotasDialog({ tenant, onClose }: { tenant: string; onClose: () => void }) {
  const { view, call } = usePortal();
  const [failure, setFailure] = useState<Error>();
  const found = useQuery({
    queryKey: [view.tenant, "tenant-quotas", tenant],
    queryFn: ({ signal }) =>
      call("GET /v1/tenants/{id}/quotas", { params: { id: tenant }, signal }),
  });
  const save = async (quota: Quota["quota"], limit: number | null) => {
    setFailure(undefined);
    try {
      const params = { id: tenant, quota };
      await call("PUT /v1/tenants/{id}/quotas/{quota}", { params, body: { limit } });
      await Promise.all([found.refetch(), notify(t("Limit saved"))]);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      setFailure(thrown);
    }
  };
  const error = failure ?? found.error;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("Quotas of {tenant}", { tenant })}
      description={t(
        "Enter bytes where the limit is shown in MiB. Leave a field empty for the default.",
      )}
    >
      {error ? <CallFailed title={t("The quotas could not be read or set")} error={error} /> : null}
      {found.isPending ? <Skeleton className="h-64" /> : null}
      {found.data ? (
        <QuotasTable
          quotas={found.data}
          action={(quota) => <LimitForm quota={quota} onSave={save} />}
        />
      ) : null}
      <DialogActions>
        <Button tone="primary" onClick={onClose}>
          {t("Done")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface LimitFormProps {
  quota: Quota;
  onSave: (quota: Quota["quota"], limit: number | null) => Promise<void>;
}

function LimitForm({ quota: { quota, limit, isDefault }, onSave }: LimitFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("limit") ?? "").trim();
    void onSave(quota, text === "" ? null : Number(text));
  };
  return (
    <form method="post" onSubmit={submit} className="flex items-center gap-2">
      <Input
        name="limit"
        aria-label={t("Limit: {label}", { label: translated(known[quota].label) })}
        inputMode="numeric"
        pattern="[0-9]{1,15}"
        className="w-32"
        placeholder={t("Default")}
        defaultValue={isDefault ? "" : String(limit)}
        autoComplete="off"
      />
      <Button type="submit">{t("Set")}</Button>
    </form>
  );
}
