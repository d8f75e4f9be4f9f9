"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { Field, Select } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { Connection } from "@/lib/features/connections/contract";
import type {
  ProvisioningRequest,
  ProvisioningToken,
} from "@/lib/features/connections/provisioning/contract";
import { Copied } from "./addresses";
import { connectionKeys } from "./query-keys";

/** The address and token with which the provider provisions users, and its latest requests. */
export function ProvisioningDialog({
  connection,
  onClose,
}: {
  connection: Connection;
  onClose: () => void;
}) {
  const { name, provisioningUrl } = connection;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("Provisioning by {name}", { name })}
      description={t("The provider creates, changes and deactivates people by SCIM 2.0.")}
      wide
    >
      <div className="flex flex-col gap-5">
        <Copied label={t("Address to enter at the provider")} text={provisioningUrl} />
        <TokenForm connection={connection} />
        <Requests connection={connection} />
      </div>
    </Dialog>
  );
}

function TokenForm({ connection }: { connection: Connection }) {
  const { call } = usePortal();
  const [created, setCreated] = useState<ProvisioningToken>();
  const { busy, error, form } = useAction(async (values) => {
    const params = { id: connection.id };
    const body = { overlap: textOf(values, "overlap") };
    const path = "POST /v1/tenant/connections/{id}/provisioning-token";
    setCreated(await call(path, { params, body }));
  });
  if (created) return <ShownToken created={created} />;
  return (
    <form method="post" {...form} className="flex flex-wrap items-end gap-3">
      <Field
        label={t("Keep the current token valid for")}
        hint={t("Creating a token replaces the one before.")}
      >
        {(control) => (
          <Select {...control} name="overlap" defaultValue="P1D">
            <option value="PT0S">{t("0 (end it now)")}</option>
            <option value="PT1H">{t("1 hour")}</option>
            <option value="P1D">{t("1 day")}</option>
            <option value="P7D">{t("7 days")}</option>
          </Select>
        )}
      </Field>
      <Button type="submit" busy={busy}>
        {t("Create token")}
      </Button>
      {error ? <CallFailed title={t("The token was not created")} error={error} /> : null}
    </form>
  );
}

const ShownToken = ({ created: { token, previousValidTo } }: { created: ProvisioningToken }) => (
  <div className="flex flex-col gap-2">
    <Copied label={t("Token to enter at the provider")} text={token} />
    <p className="text-body text-muted">
      {t("It is shown only now.")}{" "}
      {previousValidTo
        ? rich("The token before is valid until {when}.", {
            when: <Instant at={previousValidTo} form="full" />,
          })
        : null}
    </p>
  </div>
);

function Requests({ connection: { id } }: { connection: Connection }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const queryKey = connectionKeys.requests(view.tenant, id);
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call("GET /v1/tenant/connections/{id}/provisioning-requests", { params: { id }, signal }),
  });
  return (
    <section aria-label={t("Requests of the provider")} className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        <h3 className="text-body font-medium">{t("Requests of the provider")}</h3>
        <Button size="small" tone="quiet" onClick={() => void queries.refetchQueries({ queryKey })}>
          {t("Refresh")}
        </Button>
      </div>
      <Loaded found={found} failed={t("The requests could not be loaded")} skeleton="h-16">
        {(requests) =>
          requests.length > 0 ? (
            <RequestsTable requests={requests} />
          ) : (
            <p className="text-body text-muted">
              {t("The provider has not asked for anything yet.")}
            </p>
          )
        }
      </Loaded>
    </section>
  );
}

const RequestsTable = ({ requests }: { requests: ProvisioningRequest[] }) => (
  <DataTable
    label={t("Requests, newest first")}
    className="[--row:36px]"
    name="provisioning"
    heads={[t("When"), t("Request"), t("Status"), t("Outcome")]}
  >
    <tbody>
      {requests.map(({ id, occurredAt, method, path, status, scimType, detail }) => (
        <Row key={id}>
          <Cell className="text-muted">
            <Instant at={occurredAt} />
          </Cell>
          <Cell className="max-w-48 truncate" title={`${method} ${path}`} card="lead">
            {method} {path}
          </Cell>
          <Cell card="end">{status}</Cell>
          <Cell wraps className="min-w-56 text-muted" card="row">
            {scimType ? <code className="text-meta">{scimType}</code> : null} {detail}
          </Cell>
        </Row>
      ))}
    </tbody>
  </DataTable>
);
