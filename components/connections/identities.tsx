"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { confirmIdentity } from "@/components/shell/step-up-gate";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import { CallError } from "@/lib/catalogue/client";
import type { Identity, SignInConnection } from "@/lib/features/connections/identity-contract";
import { addressOfProvider } from "./provider-call";
import { connectionKeys } from "./query-keys";

interface IdentitiesProps {
  identities: Identity[];
  connections: SignInConnection[];
}

/** The linked accounts and the providers that can be linked. */
export function Identities({ identities, connections }: IdentitiesProps) {
  return (
    <div className="flex flex-col items-start gap-4">
      {identities.length > 0 ? <IdentitiesTable identities={identities} /> : null}
      {connections.length > 0 ? <LinkButtons connections={connections} /> : null}
    </div>
  );
}

/** The address for the link, after a step-up when the service requires one. */
async function addressForLink(tenant: string, connection: string): Promise<string> {
  const way = { tenant, connection, intent: "link", next: undefined } as const;
  try {
    return await addressOfProvider(way);
  } catch (error) {
    const isAsked = error instanceof CallError && error.code === "auth.step-up-required";
    if (!isAsked || !(await confirmIdentity(error.reason))) throw error;
    return addressOfProvider(way);
  }
}

function LinkButtons({ connections }: { connections: SignInConnection[] }) {
  const { view } = usePortal();
  const { busy, error, run } = useAction(async (form) =>
    window.location.assign(await addressForLink(view.tenant, String(form.get("connection")))),
  );
  const link = (connection: string) => {
    const form = new FormData();
    form.set("connection", connection);
    void run(form);
  };
  return (
    <div className="flex flex-wrap gap-3">
      {error ? <CallFailed title={t("The provider was not linked")} error={error} /> : null}
      {connections.map(({ id, name }) => (
        <Button key={id} busy={busy} onClick={() => link(id)}>
          {t("Link {name}", { name })}
        </Button>
      ))}
    </div>
  );
}

function IdentitiesTable({ identities }: { identities: Identity[] }) {
  return (
    <DataTable
      label={t("Your linked providers")}
      className="w-full [--row:44px]"
      name="identities"
      heads={[t("Provider"), t("Account there"), t("Linked"), t("Last used")]}
      hasActions
    >
      <tbody>
        {identities.map((identity) => (
          <IdentityRow key={identity.id} identity={identity} />
        ))}
      </tbody>
    </DataTable>
  );
}

function IdentityRow({ identity }: { identity: Identity }) {
  const [asking, setAsking] = useState(false);
  const { connection, subject, createdAt, lastUsedAt } = identity;
  const { name } = connection;
  return (
    <Row>
      <Cell className="max-w-48 truncate" title={name}>
        {name}
      </Cell>
      <Cell className="max-w-64 truncate text-muted" title={subject}>
        {subject}
      </Cell>
      <Cell label={t("Linked")}>
        <Instant at={createdAt} />
      </Cell>
      <Cell label={t("Last used")}>{lastUsedAt ? <Instant at={lastUsedAt} /> : t("Never")}</Cell>
      <Cell className="text-end" card="end">
        <Button
          size="small"
          aria-label={t("Unlink {name}", { name })}
          onClick={() => setAsking(true)}
        >
          {t("Unlink")}
        </Button>
        {asking ? <UnlinkDialog identity={identity} onClose={() => setAsking(false)} /> : null}
      </Cell>
    </Row>
  );
}

function UnlinkDialog({ identity, onClose }: { identity: Identity; onClose: () => void }) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const { id, connection } = identity;
  const unlink = async () => {
    await call("DELETE /v1/user/identities/{id}", { params: { id } });
    await queries.invalidateQueries({ queryKey: connectionKeys.own(view.tenant) });
  };
  return (
    <ActionDialog
      title={t("Unlink {name}", { name: connection.name })}
      description={t("Your account there no longer signs you in. Your sessions continue.")}
      confirm={t("Unlink")}
      danger
      failed={t("The provider was not unlinked")}
      onConfirm={unlink}
      onClose={onClose}
    />
  );
}
