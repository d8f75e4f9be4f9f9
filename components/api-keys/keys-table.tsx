"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { useIsPostponed } from "@/components/shell/postponed";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { lazyPart } from "@/components/ui/lazy-part";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { KeyActions } from "./key-actions";
import { KeyExpiry, KeyLastUse, KeyLimits } from "./key-facts";
import { KeyState } from "./key-state";
import { KeyWeek } from "./key-week";
import { useOwnKeys } from "./own-keys";
import { keyKeys } from "./query-keys";
import type { CallableOperation } from "./what-it-can-call";

const RevokeDialog = lazyPart(() =>
  import("./revoke-dialog").then((module) => module.RevokeDialog),
);

export function KeysTable({ keys, callable }: { keys: ApiKey[]; callable: CallableOperation[] }) {
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <DataTable label={t("Your API keys")} className="[--row:44px]">
        <thead>
          <tr>
            <HeadCell>{t("Name")}</HeadCell>
            <HeadCell>{t("Key")}</HeadCell>
            <HeadCell>{t("Status")}</HeadCell>
            <HeadCell>{t("Expires")}</HeadCell>
            <HeadCell>{t("Last used")}</HeadCell>
            <HeadCell>{t("7 days")}</HeadCell>
            <HeadCell>
              <span className="sr-only">{t("Actions")}</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow
              key={key.apiKeyId}
              apiKey={key}
              callable={callable}
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

interface KeyRowProps {
  apiKey: ApiKey;
  callable: CallableOperation[];
  onRevoke: () => void;
}

function KeyRow(props: KeyRowProps) {
  const { apiKey } = props;
  const { view } = usePortal();
  const weeks = useQueryClient().getQueryData<Record<string, number[]>>(
    keyKeys.ownWeeks(view.tenant),
  );
  return (
    <Row>
      <Cell className="max-w-56 truncate font-medium" title={apiKey.name}>
        {apiKey.name}
        <KeyLimits apiKey={apiKey} />
      </Cell>
      <Cell>
        <code className="text-meta text-muted">svk_…{apiKey.hint}</code>
      </Cell>
      <Cell>
        <KeyState apiKey={apiKey} />
      </Cell>
      <Cell className="text-muted">
        <KeyExpiry apiKey={apiKey} />
      </Cell>
      <Cell className="text-muted">
        <KeyLastUse apiKey={apiKey} />
      </Cell>
      <Cell>
        <KeyWeek week={weeks?.[apiKey.apiKeyId]} />
      </Cell>
      <Cell>
        <RowActions {...props} />
      </Cell>
    </Row>
  );
}

function RowActions({ apiKey, callable, onRevoke }: KeyRowProps) {
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
