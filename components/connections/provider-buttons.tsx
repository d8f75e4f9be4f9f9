"use client";

import { useEffect, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import { useKept } from "@/components/ui/kept";
import { call } from "@/lib/catalogue/client";
import type { SignInConnection, SignInMethods } from "@/lib/features/connections/identity-contract";
import { addressOfProvider } from "./provider-call";

export interface FoundMethods extends SignInMethods {
  tenant: string;
}

/** The sign-in methods of a tenant: from the page's first paint, or fetched once a tenant is typed. Undefined until it is known. */
export function useSignInMethods(
  tenant: string,
  first: FoundMethods | undefined,
): FoundMethods | undefined {
  const [found, setFound] = useState(first);
  useEffect(() => {
    if (found?.tenant === tenant || !/^[a-z0-9](?:-?[a-z0-9])*$/.test(tenant)) return;
    const stopping = new AbortController();
    const { signal } = stopping;
    const timer = setTimeout(() => {
      call("GET /v1/user/sign-in-methods", { tenant, signal }).then(
        (methods) => setFound({ tenant, ...methods }),
        () => undefined,
      );
    }, 300);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [tenant, found?.tenant]);
  return found?.tenant === tenant ? found : undefined;
}

interface ProviderButtonsProps {
  tenant: string;
  connections: readonly SignInConnection[] | undefined;
  /** The one that a link names: it is listed first. */
  named?: string | undefined;
  next?: string | undefined;
  /** The token of an invitation, which the sign-in accepts. */
  invitation?: string | undefined;
}

/** A button for each provider of the tenant, the one used last first. */
export function ProviderButtons(props: ProviderButtonsProps) {
  const { tenant, connections, named, next, invitation } = props;
  const [last, setLast] = useKept(`provider-${tenant}`, "");
  const [chosen, setChosen] = useState<string>();
  const { busy, error, run } = useAction(async (form) => {
    const connection = String(form.get("connection"));
    setLast(connection);
    const intent = invitation === undefined ? "sign-in" : "accept";
    window.location.assign(
      await addressOfProvider({ tenant, connection, intent, invitation, next }),
    );
    // The button stays busy until the page is left.
    await new Promise(() => undefined);
  });
  if (!connections?.length) return null;
  const first = named ?? last;
  const sorted = connections.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
  const go = (connection: string) => {
    setChosen(connection);
    const form = new FormData();
    form.set("connection", connection);
    void run(form);
  };
  return (
    <div className="mb-6 flex flex-col gap-2 border-b border-border pb-6">
      {error ? <CallFailed title={t("Sign-in failed")} error={error} /> : null}
      {sorted.map(({ id, name }) => (
        <Button
          key={id}
          tone={id === first ? "primary" : "secondary"}
          busy={busy && chosen === id}
          disabled={busy}
          className="h-9 w-full"
          onClick={() => go(id)}
        >
          <span className="truncate">{t("Sign in with {name}", { name })}</span>
        </Button>
      ))}
    </div>
  );
}
