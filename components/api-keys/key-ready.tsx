"use client";

import { Download, Eye, EyeOff, Send } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { labelled, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { downloadText } from "@/components/ui/download-text";
import { errorText } from "@/components/ui/error-notice";
import { Segmented } from "@/components/ui/form/segmented";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { StoredActions } from "@/components/ui/stored-actions";
import { CallError, exchange } from "@/lib/catalogue/client";
import { HandOff } from "./hand-off";
import { formatKey, type KeyFormat, keyFormats, masked, type NewKey } from "./key-formats";
import type { Whose } from "./suspend";
import type { CallableOperation } from "./what-it-can-call";

type Outcome = { ok: boolean; words: string };

const list = { operation: "GET /v1/user/list", path: "/v1/user/list?limit=20" } as const;
const profile = { operation: "GET /v1/user/profile", path: "/v1/user/profile" } as const;

/** The call that best shows that a key works: the user list when the roles allow it. */
function testOperation(callable: CallableOperation[]): typeof list | typeof profile {
  return callable.some((one) => one.operation === list.operation && one.allowed) ? list : profile;
}

/** Calls the service with the key and without the portal's cookie, as an external client would. */
function TestCall({ apiKey, callable }: { apiKey: string; callable: CallableOperation[] }) {
  const { view } = usePortal();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const { operation } = testOperation(callable);
  const send = async () => {
    setBusy(true);
    setOutcome(await attempt(operation, view.tenant, apiKey));
    setBusy(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-subtle px-3 py-2">
      <Button
        size="small"
        busy={busy}
        onClick={() => void send()}
        icon={<Send aria-hidden="true" className="size-3.5" />}
      >
        {t("Send {operation}", { operation })}
      </Button>
      <span
        role="status"
        className={`figures text-body ${outcome === undefined ? "text-muted" : outcome.ok ? "text-success" : "text-danger"}`}
      >
        {outcome?.words ?? t("Test the key")}
      </span>
    </div>
  );
}

async function attempt(
  operation: (typeof list | typeof profile)["operation"],
  tenant: string,
  apiKey: string,
): Promise<Outcome> {
  try {
    const { status, milliseconds } = await exchange(
      operation,
      operation === list.operation
        ? { tenant, apiKey, query: { limit: "20" } }
        : { tenant, apiKey },
    );
    return { ok: true, words: t("{status} in {milliseconds} ms", { status, milliseconds }) };
  } catch (error) {
    if (error instanceof CallError)
      return {
        ok: false,
        words: `${error.status || t("No response")} ${error.code}: ${errorText(error)}`,
      };
    throw error;
  }
}

interface KeyReadyProps {
  newKey: NewKey;
  callable: CallableOperation[];
  whose: Whose;
  /** The number of attempts to leave. */
  warned: number;
  onDone: () => void;
}

export function KeyReady({ newKey, callable, whose, warned, onDone }: KeyReadyProps) {
  const [isStored, setIsStored] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-muted">
        {rich("Works until {when}", { when: <Instant at={newKey.validTo} form="full" /> })}
      </p>
      <KeyText {...{ newKey, callable }} onTaken={() => setIsStored(true)} />
      <HandOff newKey={newKey} whose={whose} />
      <TestCall apiKey={newKey.apiKey} callable={callable} />
      <div role="alert">
        {warned > 0 && !isStored ? (
          <Notice tone="warning">
            {t(
              "The key is still on screen and cannot be shown again. Store it, tick the box, then choose Done. If you lose it, revoke it and create a new one.",
            )}
          </Notice>
        ) : null}
      </div>
      <StoredActions isStored={isStored} onStored={setIsStored} onDone={onDone} />
    </div>
  );
}

const fileName = (name: string, format: KeyFormat) =>
  `${name.replace(/[^\w.-]+/g, "-")}.${keyFormats.find((one) => one.value === format)?.file ?? "txt"}`;

interface KeyTextProps extends Pick<KeyReadyProps, "newKey" | "callable"> {
  /** The key was copied or downloaded, so the box need not be ticked. */
  onTaken: () => void;
}

/** The key as plain text or in another format: masked until revealed, complete in the copy. */
function KeyText({ newKey, callable, onTaken }: KeyTextProps) {
  const { view } = usePortal();
  const [format, setFormat] = useState<KeyFormat>("key");
  const [isShown, setIsShown] = useState(false);
  const { path } = testOperation(callable);
  const place = { tenant: view.tenant, origin: window.location.origin, path };
  const textOf = (apiKey: string) => formatKey(format, { ...newKey, apiKey }, place);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <>
      <Segmented
        legend={t("Copy as")}
        name="format"
        options={labelled(keyFormats)}
        value={format}
        onChange={setFormat}
      />
      <pre className="whitespace-pre-wrap break-all rounded-control border border-border-strong bg-surface px-3 py-2.5 text-body">
        <code>{textOf(isShown ? newKey.apiKey : masked(newKey.apiKey)).trimEnd()}</code>
      </pre>
      <div className="flex flex-wrap gap-2">
        <CopyButton
          text={() => textOf(newKey.apiKey)}
          label={t("Copy key")}
          words={t("Copy")}
          tone="primary"
          onCopied={onTaken}
        />
        <Button
          onClick={() => setIsShown(!isShown)}
          aria-pressed={isShown}
          icon={<Icon aria-hidden="true" className="size-4" />}
        >
          {isShown ? t("Hide key") : t("Show key")}
        </Button>
        <Button
          onClick={() => {
            downloadText(textOf(newKey.apiKey), fileName(newKey.name, format));
            onTaken();
          }}
          icon={<Download aria-hidden="true" className="size-4" />}
        >
          {t("Download")}
        </Button>
      </div>
    </>
  );
}
