"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { t } from "@/components/texts/t";
import { followSignOut } from "@/components/ui/device-storage";
import { DraftOwner } from "@/components/ui/form/form-draft";
import { isUnreachable } from "@/components/ui/last-data";
import { KeptColumns } from "@/components/ui/table/chosen-columns";
import { notify } from "@/components/ui/toast";
import {
  type Answer,
  CallError,
  exchange,
  exchangeText,
  type Input,
  type Operation,
  type TextInput,
} from "@/lib/catalogue/client";
import { connection, connectionLost } from "./connection";
import { isNavigation } from "./navigation-request";
import type { PortalView } from "./portal-view";
import { sessionGate, signInAgain } from "./session/gate";
import { noteRequest } from "./session/times";
import { confirmIdentity } from "./step-up-gate";

function connectionBack(): Promise<void> {
  return new Promise((resolve) => {
    const stop = connection.subscribe(() => {
      if (connection.lostAt() !== undefined) return;
      stop();
      resolve();
    });
  });
}

/**
 * Lets navigations wait for the connection: the router would answer a failed request by leaving for the browser's own
 * error page. Also records the session that each request has used. Returns a function that undoes it.
 */
function letNavigationsWait(): () => void {
  const before = window.fetch;
  const waiting: typeof fetch = async (input, init) => {
    const sentAt = Date.now();
    try {
      const response = await before(input, init);
      void noteRequest([input, init], response, sentAt);
      return response;
    } catch (error) {
      if (init?.signal?.aborted || !isNavigation(init)) throw error;
      const back = connectionBack();
      connectionLost();
      void notify(t("No connection. The page opens as soon as there is one."));
      await back;
      return waiting(input, init);
    }
  };
  window.fetch = waiting;
  return () => {
    window.fetch = before;
  };
}

/** Codes that mean the session has ended, not that a permission is missing. */
const sessionOver: ReadonlySet<string> = new Set([
  "auth.credentials-missing",
  "auth.credentials-invalid",
  "auth.credentials-expired",
]);

type PortalInput<Name extends Operation> = Omit<Input<Name>, "tenant" | "apiKey">;

interface Portal {
  view: PortalView;
  call: <Name extends Operation>(
    operation: Name,
    input: PortalInput<Name>,
  ) => Promise<Answer<Name>>;
  exchange: <Name extends Operation>(
    operation: Name,
    input: PortalInput<Name>,
  ) => ReturnType<typeof exchange<Name>>;
  exchangeText: (
    operation: Operation,
    input: Omit<TextInput, "tenant">,
  ) => ReturnType<typeof exchangeText>;
}

const PortalContext = createContext<Portal | undefined>(undefined);

/** The typed client for the tenant on screen. When the session has ended, calls wait for the next sign-in and then continue. */
export function usePortal(): Portal {
  const portal = use(PortalContext);
  if (!portal) throw new Error("usePortal needs a PortalProvider around it.");
  return portal;
}

/** Waits until the user has signed in or confirmed the identity, as the error requires. Throws the error when neither helps. */
async function waitForPerson(error: unknown): Promise<void> {
  if (!(error instanceof CallError)) throw error;
  if (error.code === "auth.step-up-required") {
    if (!(await confirmIdentity(error.reason))) throw error;
  } else if (sessionOver.has(error.code)) await signInAgain();
  else throw error;
}

/**
 * Calls once, and again after the next sign-in or confirmation if the service required one. After
 * the end of the session no call is sent before the sign-in.
 */
async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
  if (sessionGate.isOver()) await signInAgain();
  try {
    return await attempt();
  } catch (error) {
    if (isUnreachable(error)) connectionLost();
    await waitForPerson(error);
    return await attempt();
  }
}

function portalOf(view: PortalView): Portal {
  const full: Portal["exchange"] = (operation, input) =>
    patiently(() =>
      exchange(operation, { ...input, tenant: view.tenant } as Input<typeof operation>),
    );
  const text: Portal["exchangeText"] = (operation, input) =>
    patiently(() => exchangeText(operation, { ...input, tenant: view.tenant }));
  return {
    view,
    exchange: full,
    exchangeText: text,
    call: async (operation, input) => (await full(operation, input)).answer,
  };
}

/** The delay before the retry of a read that did not reach the service. */
const unreachableRetryMs = 1500;

function newQueryClient(): QueryClient {
  const mayHelp = (error: unknown) =>
    error instanceof CallError &&
    (error.code === "server.overloaded" || error.code === "server.stopping");
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        networkMode: "always",
        // Without a connection a view keeps its data and waits instead of failing.
        retry: (failures, error) => isUnreachable(error) || (failures < 2 && mayHelp(error)),
        retryDelay: (failures, error) =>
          isUnreachable(error) ? unreachableRetryMs : 1000 * 2 ** failures,
      },
      mutations: { networkMode: "always" },
    },
  });
}

export function PortalProvider({ view, children }: { view: PortalView; children: ReactNode }) {
  const [queries] = useState(newQueryClient);
  const portal = useMemo(() => portalOf(view), [view]);
  useEffect(letNavigationsWait, []);
  useEffect(followSignOut, []);
  return (
    <PortalContext value={portal}>
      <DraftOwner value={`${view.tenant}/${view.user.id}`}>
        <KeptColumns value={view.columns}>
          <QueryClientProvider client={queries}>{children}</QueryClientProvider>
        </KeptColumns>
      </DraftOwner>
    </PortalContext>
  );
}
