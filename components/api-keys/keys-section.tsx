"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { type RefObject, Suspense, useRef } from "react";
import { NoticeText } from "@/components/home/notice-list";
import { ownKeyLines } from "@/components/home/own-key-lines";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { OwnKeys } from "./keys-list";
import { useOwnKeys } from "./own-keys";
import type { CallableOperation } from "./what-it-can-call";

/** The notices about the owner's keys, one line for each kind: leaked, handed over and soon to expire. */
function KeysNotice({ keys }: { keys: ApiKey[] }) {
  const { view } = usePortal();
  const lines = ownKeyLines(view.tenant, keys);
  if (lines.length === 0) return null;
  return (
    <div className="border-b border-border p-3">
      <Notice tone="warning">
        {lines.map(({ kind, text, first }) => (
          <p key={kind}>
            <NoticeText text={text} first={first} />
          </p>
        ))}
      </Notice>
    </div>
  );
}

const GenerateDialog = lazyPart(() =>
  import("./generate-dialog").then((module) => module.GenerateDialog),
);

/** The address stores whether the dialog is open, so that a link can open it. */
function showGenerate(open: boolean): void {
  const address = new URL(window.location.href);
  if (open) address.searchParams.set("generate", "1");
  else address.searchParams.delete("generate");
  window.history.replaceState(null, "", address);
}

/** The user's own API keys: create, see, revoke. */
export function KeysSection({ callable }: { callable: CallableOperation[] }) {
  const queries = useQueryClient();
  const isGenerating = useSearchParams().has("generate");
  const opener = useRef<HTMLButtonElement>(null);
  const own = useOwnKeys();
  const found = useQuery(own);
  const reload = () => void queries.invalidateQueries(own);
  const close = () => {
    showGenerate(false);
    reload();
  };
  return (
    <Card
      id="api-keys"
      flush
      title={t("API keys")}
      description={t("For programs that call the service in your name.")}
      actions={<GenerateButton opener={opener} />}
    >
      <Loaded
        found={found}
        failed={t("Your keys could not be loaded")}
        skeleton="m-4 h-36"
        action={<Button onClick={reload}>{t("Try again")}</Button>}
        flush
      >
        {(keys) => (
          <>
            <KeysNotice keys={keys} />
            <OwnKeys keys={keys} callable={callable} />
          </>
        )}
      </Loaded>
      <Suspense>
        {isGenerating ? (
          <GenerateDialog
            callable={callable}
            onCreated={reload}
            onClose={close}
            returnFocus={() => opener.current?.focus()}
          />
        ) : null}
      </Suspense>
    </Card>
  );
}

function GenerateButton({ opener }: { opener: RefObject<HTMLButtonElement | null> }) {
  return (
    <Button
      ref={opener}
      tone="primary"
      onPointerEnter={GenerateDialog.preload}
      onFocus={GenerateDialog.preload}
      onClick={() => showGenerate(true)}
    >
      {t("Generate key")}
    </Button>
  );
}
