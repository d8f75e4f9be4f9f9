"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { CallFailed } from "@/components/ui/error-notice";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { useAction } from "@/components/ui/form/use-action";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { Connection } from "@/lib/features/connections/contract";
import { maxConnections } from "@/lib/features/connections/values";
import { addressOfProvider } from "./provider-call";
import { connectionKeys } from "./query-keys";

const ConnectionDialog = lazyPart(
  () => import("./connection-dialog").then((module) => module.ConnectionDialog),
  { isRare: true },
);

const ProvisioningDialog = lazyPart(
  () => import("./provisioning-dialog").then((module) => module.ProvisioningDialog),
  { isRare: true },
);

const GroupRolesDialog = lazyPart(
  () => import("./group-roles-dialog").then((module) => module.GroupRolesDialog),
  { isRare: true },
);

type Open =
  | { what: "new" }
  | { what: "edit" | "delete" | "provisioning" | "groups"; connection: Connection };

/** The identity providers of the tenant. */
export function ConnectionsCard() {
  const { view, call } = usePortal();
  const [open, setOpen] = useState<Open>();
  const found = useQuery({
    queryKey: connectionKeys.all(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/tenant/connections", { signal }),
  });
  const isFull = (found.data?.length ?? 0) >= maxConnections;
  return (
    <Card
      id="connections"
      flush
      title={t("Identity providers")}
      description={t("Where people of this tenant sign in instead of with a password.")}
      actions={
        <Button disabled={isFull} onClick={() => setOpen({ what: "new" })}>
          {t("Connect provider")}
        </Button>
      }
    >
      <Loaded
        found={found}
        failed={t("The identity providers could not be loaded")}
        skeleton="m-4 h-20"
        flush
      >
        {(connections) =>
          connections.length > 0 ? (
            <ConnectionsTable connections={connections} onOpen={setOpen} />
          ) : (
            <EmptyState
              title={t("No identity provider yet")}
              purpose={t(
                "Connect one by OpenID Connect, such as Keycloak, Okta, Entra ID or Google.",
              )}
            />
          )
        }
      </Loaded>
      <Suspense>
        {open ? <OpenDialog open={open} onClose={() => setOpen(undefined)} /> : null}
      </Suspense>
    </Card>
  );
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const changed = () => queries.invalidateQueries({ queryKey: connectionKeys.all(view.tenant) });
  if (open.what === "provisioning")
    return <ProvisioningDialog connection={open.connection} onClose={onClose} />;
  if (open.what === "groups")
    return <GroupRolesDialog connection={open.connection} onChanged={changed} onClose={onClose} />;
  if (open.what !== "delete") {
    const connection = open.what === "edit" ? open.connection : undefined;
    return <ConnectionDialog connection={connection} onChanged={changed} onClose={onClose} />;
  }
  const { id, name } = open.connection;
  const remove = async () => {
    await call("DELETE /v1/tenant/connections/{id}", { params: { id } });
    await changed();
  };
  return (
    <ActionDialog
      title={t("Delete the provider {name}", { name })}
      description={t(
        "Nobody signs in with it any more, and all links with it are gone. Who has no password needs a link to set one.",
      )}
      confirm={t("Delete provider")}
      danger
      failed={t("The provider was not deleted")}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

interface TableProps {
  connections: Connection[];
  onOpen: (open: Open) => void;
}

function ConnectionsTable({ connections, onOpen }: TableProps) {
  return (
    <DataTable
      label={t("Identity providers, newest first")}
      className="[--row:44px]"
      name="connections"
      heads={[t("Name"), t("Issuer"), t("State")]}
      hasActions
    >
      <tbody>
        {connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} onOpen={onOpen} />
        ))}
      </tbody>
    </DataTable>
  );
}

function ConnectionRow({ connection, onOpen }: RowProps) {
  const { name, issuer, isEnabled } = connection;
  return (
    <Row>
      <Cell className="max-w-64 truncate" title={name}>
        {name}
      </Cell>
      <Cell className="max-w-72 truncate text-muted" title={issuer}>
        {issuer}
      </Cell>
      <Cell card="end">
        {isEnabled ? (
          <Badge tone="success">{t("Enabled##provider")}</Badge>
        ) : (
          <Badge>{t("Disabled##provider")}</Badge>
        )}
      </Cell>
      <Cell className="text-end" card="row">
        <TryButton connection={connection} />
        <RowActions connection={connection} onOpen={onOpen} />
      </Cell>
    </Row>
  );
}

interface RowProps {
  connection: Connection;
  onOpen: (open: Open) => void;
}

function RowActions({ connection, onOpen }: RowProps) {
  const { name } = connection;
  return (
    <>
      <Button
        tone="quiet"
        size="small"
        aria-label={t("Provisioning by {name}", { name })}
        onClick={() => onOpen({ what: "provisioning", connection })}
      >
        {t("Provisioning")}
      </Button>
      <Button
        tone="quiet"
        size="small"
        aria-label={t("Groups of {name}", { name })}
        onClick={() => onOpen({ what: "groups", connection })}
      >
        {t("Groups")}
      </Button>
      <Button
        tone="quiet"
        size="small"
        aria-label={t("Edit provider {name}", { name })}
        onClick={() => onOpen({ what: "edit", connection })}
      >
        {t("Edit")}
      </Button>
      <Button
        tone="quiet"
        size="small"
        aria-label={t("Delete provider {name}", { name })}
        onClick={() => onOpen({ what: "delete", connection })}
      >
        {t("Delete")}
      </Button>
    </>
  );
}

/** Tests a sign-in at the provider in a separate window, which shows the outcome. */
function TryButton({ connection: { id, name } }: { connection: Connection }) {
  const { view } = usePortal();
  const { busy, error, run } = useAction(async () => {
    // Opened by the click itself: browsers block windows that open later.
    const opened = window.open("about:blank", "_blank");
    try {
      const url = await addressOfProvider({ tenant: view.tenant, connection: id, intent: "try" });
      if (opened) opened.location.href = url;
      else window.location.assign(url);
    } catch (thrown) {
      opened?.close();
      throw thrown;
    }
  });
  return (
    <>
      {error ? <CallFailed title={t("The provider could not be tried")} error={error} /> : null}
      <Button
        tone="quiet"
        size="small"
        busy={busy}
        aria-label={t("Try provider {name}", { name })}
        onClick={() => void run()}
      >
        {t("Try##provider")}
      </Button>
    </>
  );
}
