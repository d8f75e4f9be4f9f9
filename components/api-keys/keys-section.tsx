"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { KeysTable } from "./keys-table";
import { useOwnKeys } from "./own-keys";
import type { CallableOperation } from "./what-it-can-call";

const load = () => import("./generate-dialog");
const GenerateDialog = lazy(() => load().then((module) => ({ default: module.GenerateDialog })));

/** One's own API keys: make, see, revoke. */
export function KeysSection({ callable }: { callable: CallableOperation[] }) {
  const { view } = usePortal();
  const queries = useQueryClient();
  const generating = useSearchParams().has("generate");
  const [all, setAll] = useState(false);
  const own = useOwnKeys();
  const keys = useQuery(own);
  const usable = keys.data?.filter((key) => key.status === "active" || key.status === "suspended") ?? [];
  const past = (keys.data?.length ?? 0) - usable.length;
  const button = (
    <Button tone="primary" onPointerEnter={() => void load()} onFocus={() => void load()} onClick={() => showGenerate(true)}>
      Generate key
    </Button>
  );
  return (
    <Card
      id="api-keys"
      flush
      title="API keys"
      description="For programs that call the service in your name."
      actions={keys.data?.length ? button : null}
    >
      {keys.error ? (
        <div className="p-4">
          <ErrorNotice
            title="Your keys could not be read"
            detail={keys.error.message}
            action={
              <Button size="small" onClick={() => void keys.refetch()}>
                Try again
              </Button>
            }
          />
        </div>
      ) : null}
      {keys.isPending ? <Skeleton className="m-4 h-36" /> : null}
      {keys.data?.length ? <KeysTable keys={all ? keys.data : usable} /> : null}
      {past > 0 ? (
        <p className="border-t border-border px-3 py-2">
          <Button tone="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Hide" : "Show"} {past} revoked or expired
          </Button>
        </p>
      ) : null}
      {keys.data?.length === 0 ? (
        <EmptyState
          title="No API keys yet"
          purpose="A key lets a program call the service in your name, with your roles, until a day you choose."
          action={button}
        >
          <CodeBlock
            label="the call that lists your users"
            code={`curl '${view.origin}/v1/user/list' \\\n  -H 'X-Service-Tenant: ${view.tenant}' \\\n  -H 'X-Service-API-Key: svk_...'`}
          />
        </EmptyState>
      ) : null}
      <Suspense>
        {generating ? (
          <GenerateDialog callable={callable} onCreated={() => void queries.invalidateQueries(own)} onClose={() => showGenerate(false)} />
        ) : null}
      </Suspense>
    </Card>
  );
}

/** Whether the dialog is open lives in the address, so that a link can open it. */
function showGenerate(open: boolean): void {
  const address = new URL(window.location.href);
  if (open) address.searchParams.set("generate", "1");
  else address.searchParams.delete("generate");
  window.history.replaceState(null, "", address);
}
