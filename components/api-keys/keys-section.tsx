"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { OwnKeys } from "./keys-list";
import { KeysNotice } from "./keys-notice";
import { useOwnKeys } from "./own-keys";
import type { CallableOperation } from "./what-it-can-call";

const load = () => import("./generate-dialog");
const GenerateDialog = lazy(() => load().then((module) => ({ default: module.GenerateDialog })));

/** Whether the dialog is open lives in the address, so that a link can open it. */
function showGenerate(open: boolean): void {
  const address = new URL(window.location.href);
  if (open) address.searchParams.set("generate", "1");
  else address.searchParams.delete("generate");
  window.history.replaceState(null, "", address);
}

/** One's own API keys: make, see, revoke. */
export function KeysSection({ callable }: { callable: CallableOperation[] }) {
  const queries = useQueryClient();
  const generating = useSearchParams().has("generate");
  const opener = useRef<HTMLButtonElement>(null);
  const own = useOwnKeys();
  const keys = useQuery(own);
  const reread = () => void queries.invalidateQueries(own);
  const close = () => {
    showGenerate(false);
    reread();
  };
  const button = (
    <Button
      ref={opener}
      tone="primary"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => showGenerate(true)}
    >
      Generate key
    </Button>
  );
  return (
    <Card
      id="api-keys"
      flush
      title="API keys"
      description="For programs that call the service in your name."
      actions={button}
    >
      {keys.error ? (
        <div className="p-4">
          <ErrorNotice
            title="Your keys could not be read"
            detail={keys.error.message}
            action={<Button onClick={reread}>Try again</Button>}
          />
        </div>
      ) : null}
      {keys.isPending ? <Skeleton className="m-4 h-36" /> : null}
      {keys.data ? <KeysNotice keys={keys.data} /> : null}
      {keys.data ? <OwnKeys keys={keys.data} callable={callable} /> : null}
      <Suspense>
        {generating ? (
          <GenerateDialog
            callable={callable}
            onCreated={reread}
            onClose={close}
            returnFocus={() => opener.current?.focus()}
          />
        ) : null}
      </Suspense>
    </Card>
  );
}
