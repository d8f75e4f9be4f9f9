"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Instant } from "@/components/ui/instant";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import { CallError } from "@/lib/catalogue/client";
import type { Tenant } from "@/lib/features/tenants/contract";

export function GeneralCard() {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: [view.tenant, "tenant"],
    queryFn: ({ signal }) => call("GET /v1/tenant", { signal }),
  });
  return (
    <Card id="general" title="General">
      {found.error ? <CallFailed title="The tenant could not be read" error={found.error} /> : null}
      {found.isPending ? <Skeleton className="h-40" /> : null}
      {found.data ? <General tenant={found.data} /> : null}
    </Card>
  );
}

function General({ tenant }: { tenant: Tenant }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    setBusy(true);
    setError(undefined);
    try {
      queries.setQueryData(
        [view.tenant, "tenant"],
        await call("PATCH /v1/tenant", { body: { name } }),
      );
      await notify("Name saved");
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
    }
    setBusy(false);
  };
  return (
    <div className="flex flex-col gap-4">
      <form onSubmit={(event) => void save(event)} className="flex max-w-md items-end gap-2">
        <div className="flex-1">
          <Field label="Name" error={error?.message}>
            {(control) => (
              <Input
                {...control}
                name="name"
                defaultValue={tenant.name}
                required
                maxLength={128}
                autoComplete="off"
              />
            )}
          </Field>
        </div>
        <Button type="submit" busy={busy}>
          Save name
        </Button>
      </form>
      <Facts
        facts={[
          { name: "Id", value: <code className="text-meta">{tenant.id}</code> },
          { name: "Kind", value: tenant.kind },
          { name: "Created", value: <Instant at={tenant.createdAt} form="full" /> },
        ]}
      />
    </div>
  );
}
