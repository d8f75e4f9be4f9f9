"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { useIsPostponed } from "@/components/shell/postponed";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { DataTable } from "@/components/ui/table/data-table";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { KeyActions } from "./key-actions";
import { KeyRow, keyHeads } from "./key-row";
import { useOwnKeys } from "./own-keys";
import { keyKeys } from "./query-keys";
import { SelectedKeys, SelectKey, SelectKeys, useSelectedKeys } from "./select-key";
import type { CallableOperation } from "./what-it-can-call";

const RevokeDialog = lazyPart(() =>
  import("./revoke-dialog").then((module) => module.RevokeDialog),
);

export function KeysTable({ keys, callable }: { keys: ApiKey[]; callable: CallableOperation[] }) {
  const [revoking, setRevoking] = useState<ApiKey>();
  const selection = useSelectedKeys(keys);
  return (
    <>
      <SelectedKeys selection={selection} whose="own" />
      <DataTable
        label={t("Your API keys")}
        className="[--row:44px]"
        name="keys"
        heads={keyHeads()}
        first={<SelectKeys shown={keys} selection={selection} />}
        hasActions
      >
        <tbody>
          {keys.map((key) => (
            <OwnKeyRow
              key={key.apiKeyId}
              apiKey={key}
              callable={callable}
              select={<SelectKey apiKey={key} selection={selection} />}
              onRevoke={() => setRevoking(key)}
            />
          ))}
        </tbody>
      </DataTable>
      <Suspense>
        {revoking ? (
          <RevokeDialog apiKey={revoking} whose="own" onClose={() => setRevoking(undefined)} />
        ) : null}
      </Suspense>
    </>
  );
}

interface OwnKeyRowProps {
  apiKey: ApiKey;
  callable: CallableOperation[];
  onRevoke: () => void;
}

function OwnKeyRow({ select, ...props }: OwnKeyRowProps & { select: ReactNode }) {
  const { apiKey } = props;
  const { view } = usePortal();
  const weeks = useQueryClient().getQueryData<Record<string, number[]>>(
    keyKeys.ownWeeks(view.tenant),
  );
  const week = weeks?.[apiKey.apiKeyId];
  return <KeyRow apiKey={apiKey} select={select} week={week} actions={<RowActions {...props} />} />;
}

function RowActions({ apiKey, callable, onRevoke }: OwnKeyRowProps) {
  const queries = useQueryClient();
  const own = useOwnKeys();
  const isBeingRevoked = useIsPostponed(apiKey.apiKeyId);
  const isUsable = apiKey.status === "active" || apiKey.status === "suspended";
  return (
    <span className="flex items-center justify-end">
      {apiKey.status === "revoked" ? null : (
        <Button
          size="small"
          tone="quiet"
          busy={isBeingRevoked}
          aria-label={t("Revoke key {name}", { name: apiKey.name })}
          onClick={onRevoke}
        >
          {t("Revoke")}
        </Button>
      )}
      {isUsable ? (
        <KeyActions
          apiKey={apiKey}
          whose="own"
          mayRotate
          callable={callable}
          onDone={() => void queries.invalidateQueries(own)}
        />
      ) : null}
    </span>
  );
}
