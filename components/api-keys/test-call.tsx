"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { errorText } from "@/components/ui/error-text";
import { CallError, exchange } from "@/lib/catalogue/client";
import type { CallableOperation } from "./what-it-can-call";

type Outcome = { ok: boolean; words: string };

const list = { operation: "GET /v1/user/list", path: "/v1/user/list?limit=20" } as const;
const profile = { operation: "GET /v1/user/profile", path: "/v1/user/profile" } as const;

/** The call that shows best that a key works: the user list where the roles allow it. */
export function testOperation(callable: CallableOperation[]): typeof list | typeof profile {
  return callable.some((one) => one.operation === list.operation && one.allowed) ? list : profile;
}

/** Calls the service with the key itself, as a program outside would: without the portal's cookie. */
export function TestCall({ apiKey, callable }: { apiKey: string; callable: CallableOperation[] }) {
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
