"use client";

import type { ReactNode } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { serverNow } from "@/components/ui/clock";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";
import { LoginText } from "@/components/users/login-text";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";
import { hygieneOf } from "./hygiene";
import { KeyActions } from "./key-actions";
import { KeyRow, keyHeads } from "./key-row";
import { SelectedKeys, SelectKey, SelectKeys, useSelectedKeys } from "./select-key";

interface ManagedKeysTableProps {
  keys: ManagedKey[];
  /** Omits the owner when all keys belong to one user. */
  oneOwner?: boolean;
  onDone: () => void;
}

/** Keys as their manager sees them, with warnings. */
export function ManagedKeysTable({ keys, oneOwner = false, onDone }: ManagedKeysTableProps) {
  const selection = useSelectedKeys(keys);
  return (
    <>
      <SelectedKeys selection={selection} whose="managed" />
      <DataTable
        label={oneOwner ? t("Keys of this user") : t("Keys of this tenant")}
        className="[--row:44px]"
        name="keys"
        heads={keyHeads(!oneOwner)}
        first={<SelectKeys shown={keys} selection={selection} />}
        hasActions
      >
        <tbody>
          {keys.map((key) => (
            <ManagedRow
              key={key.apiKeyId}
              apiKey={key}
              select={<SelectKey apiKey={key} selection={selection} />}
              oneOwner={oneOwner}
              onDone={onDone}
            />
          ))}
        </tbody>
      </DataTable>
    </>
  );
}

interface ManagedRowProps {
  apiKey: ManagedKey;
  select: ReactNode;
  oneOwner: boolean;
  onDone: () => void;
}

function ManagedRow({ apiKey, select, oneOwner, onDone }: ManagedRowProps) {
  const { owner } = apiKey;
  const isUsable = apiKey.status === "active" || apiKey.status === "suspended";
  return (
    <KeyRow
      apiKey={apiKey}
      select={select}
      owner={oneOwner ? undefined : <Owner owner={owner} />}
      marks={hygieneOf(apiKey, serverNow()).map((words) => (
        <Badge key={words} tone="warning">
          {words}
        </Badge>
      ))}
      week={apiKey.callsByDay}
      actions={
        isUsable ? (
          <KeyActions
            apiKey={apiKey}
            whose="managed"
            mayRotate={owner.kind === "service"}
            callable={[]}
            onDone={onDone}
          />
        ) : null
      }
    />
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
