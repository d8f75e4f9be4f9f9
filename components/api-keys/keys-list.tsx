"use client";

import { useState } from "react";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { KeysTable } from "./keys-table";
import type { CallableOperation } from "./what-it-can-call";

/** The keys in use; the revoked and expired ones after a click. */
export function OwnKeys({ keys, callable }: { keys: ApiKey[]; callable: CallableOperation[] }) {
  const { view } = usePortal();
  const [all, setAll] = useState(false);
  const usable = keys.filter((key) => key.status === "active" || key.status === "suspended");
  const past = keys.length - usable.length;
  const shown = all ? keys : usable;
  const curl = curlByKey(view, "/v1/user/list");
  return (
    <>
      {shown.length > 0 ? (
        <KeysTable keys={shown} callable={callable} />
      ) : (
        <EmptyState
          title={past > 0 ? t("No active API keys") : t("No API keys yet")}
          purpose={t(
            "A key lets a program call the service in your name, with your roles, until a day you choose.",
          )}
        >
          <CodeBlock label={t("the call that lists your users")} code={curl} />
        </EmptyState>
      )}
      {past > 0 ? (
        <p className="border-t border-border px-3 py-2">
          <Button tone="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all
              ? t("Hide {past} revoked or expired", { past })
              : t("Show {past} revoked or expired", { past })}
          </Button>
        </p>
      ) : null}
    </>
  );
}
