"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import { LoginText } from "@/components/users/login-text";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";
import { hygieneOf } from "./hygiene";
import { KeyActions } from "./key-actions";
import { KeyExpiry, KeyLastUse, KeyLimits } from "./key-facts";
import { KeyState } from "./key-state";
import { KeyWeek } from "./key-week";

interface ManagedKeysTableProps {
  keys: ManagedKey[];
  /** Leaves the owner out where all keys are one user's. */
  oneOwner?: boolean;
  onDone: () => void;
}

/** Keys as their manager sees them, with what should be looked at. */
export function ManagedKeysTable({ keys, oneOwner = false, onDone }: ManagedKeysTableProps) {
  return (
    <DataTable
      label={oneOwner ? t("Keys of this user") : t("Keys of this tenant")}
      className="[--row:44px]"
    >
      <thead>
        <tr>
          <HeadCell>{t("Name")}</HeadCell>
          {oneOwner ? null : <HeadCell>{t("Owner")}</HeadCell>}
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
          <ManagedRow key={key.apiKeyId} apiKey={key} oneOwner={oneOwner} onDone={onDone} />
        ))}
      </tbody>
    </DataTable>
  );
}

interface ManagedRowProps {
  apiKey: ManagedKey;
  oneOwner: boolean;
  onDone: () => void;
}

function ManagedRow({ apiKey, oneOwner, onDone }: ManagedRowProps) {
  const { owner } = apiKey;
  const isUsable = apiKey.status === "active" || apiKey.status === "suspended";
  return (
    <Row>
      <Cell className="max-w-56 truncate font-medium" title={apiKey.name}>
        {apiKey.name}
        <KeyLimits apiKey={apiKey} />
      </Cell>
      {oneOwner ? null : (
        <Cell>
          <Owner owner={owner} />
        </Cell>
      )}
      <Cell>
        <code className="text-meta text-muted">svk_…{apiKey.hint}</code>
      </Cell>
      <Cell>
        <Status apiKey={apiKey} />
      </Cell>
      <Cell className="text-muted">
        <KeyExpiry apiKey={apiKey} />
      </Cell>
      <Cell className="text-muted">
        <KeyLastUse apiKey={apiKey} />
      </Cell>
      <Cell>
        <KeyWeek week={apiKey.callsByDay} />
      </Cell>
      <Cell className="text-end">
        {isUsable ? (
          <KeyActions
            apiKey={apiKey}
            whose="managed"
            mayRotate={owner.kind === "service"}
            callable={[]}
            onDone={onDone}
          />
        ) : null}
      </Cell>
    </Row>
  );
}

function Owner({ owner }: Pick<ManagedKey, "owner">) {
  const { view } = usePortal();
  return (
    <>
      <Link
        href={`/t/${view.tenant}/users/${owner.id}/api-keys`}
        className="rounded-[3px] underline decoration-border-strong underline-offset-4"
      >
        <LoginText login={owner.login} />
      </Link>
      {owner.kind === "service" ? (
        <span className="text-meta text-muted"> {t("service")}</span>
      ) : null}
    </>
  );
}

function Status({ apiKey }: { apiKey: ManagedKey }) {
  return (
    <span className="flex items-center gap-1">
      <KeyState apiKey={apiKey} />
      {hygieneOf(apiKey, Date.now()).map((words) => (
        <Badge key={words} tone="warning">
          {words}
        </Badge>
      ))}
    </span>
  );
}
