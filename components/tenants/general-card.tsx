"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card, Facts } from "@/components/ui/card";
import { CallFailed } from "@/components/ui/error-notice";
import { DraftLine } from "@/components/ui/form/draft-line";
import { TextField } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { notify } from "@/components/ui/toast";
import type { Tenant } from "@/lib/features/tenants/contract";
import { tenantKeys } from "./query-keys";
import { tenantKinds } from "./tenant-kinds";

export function GeneralCard() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: tenantKeys.own(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant", { signal }),
  });
  return (
    <Card id="general" title={t("General")}>
      <Loaded found={found} failed={t("The tenant could not be loaded")} skeleton="h-40">
        {(tenant) => (
          <div className="flex flex-col gap-4">
            <NameForm tenant={tenant} />
            <Facts
              facts={[
                { name: t("Id"), value: <code className="text-meta">{tenant.id}</code> },
                { name: t("Kind"), value: t(tenantKinds[tenant.kind]) },
                { name: t("Created"), value: <Instant at={tenant.createdAt} form="full" /> },
              ]}
            />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function NameForm({ tenant }: { tenant: Tenant }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const { busy, errors, error, form, draft } = useAction(
    async (values) => {
      const saved = await call("PATCH /v1/tenant", { body: { name: textOf(values, "name") } });
      queries.setQueryData(tenantKeys.own(view.tenant), saved);
      void notify(t("Name saved"));
    },
    ["/name"],
    "tenant-name",
  );
  return (
    <>
      {error ? <CallFailed title={t("The name was not saved")} error={error} /> : null}
      <form method="post" {...form} className="flex max-w-md flex-wrap items-end gap-2">
        <div className="flex-1 basis-48">
          <TextField
            label={t("Name")}
            name="name"
            defaultValue={tenant.name}
            error={errors["/name"]}
            required
            maxLength={128}
            autoComplete="off"
          />
        </div>
        <Button type="submit" busy={busy}>
          {t("Save name")}
        </Button>
        <DraftLine draft={draft} />
      </form>
    </>
  );
}
