"use client";

import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorNotice, errorText } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import { notify } from "@/components/ui/toast";
import type { Session } from "@/lib/features/sessions/contract";
import { agentName } from "./agent-name";
import { sessionKeys } from "./query-keys";

const ActionDialog = lazyPart(() =>
  import("@/components/ui/form/action-dialog").then((module) => module.ActionDialog),
);

function useOwnSessions() {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: sessionKeys.own(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/user/sessions", { signal }),
  });
}

/** The reader's sessions in this tenant, with buttons to end one, or (in the home tenant) all others in every tenant. */
export function SessionsSection({ home }: { home: string }) {
  const { view } = usePortal();
  const sessions = useQuery(useOwnSessions());
  return (
    <Card
      id="sessions"
      flush
      title={t("Sessions")}
      description={t("Where you are signed in to this tenant.")}
      actions={home === view.tenant ? <EndOthers /> : undefined}
    >
      {sessions.error ? (
        <div className="p-4">
          <ErrorNotice
            title={t("Your sessions could not be loaded")}
            detail={errorText(sessions.error)}
          />
        </div>
      ) : null}
      {sessions.isPending ? <Skeleton className="m-4 h-20" /> : null}
      {sessions.data ? (
        <DataTable
          label={t("Your sessions")}
          className="[--row:44px]"
          name="sessions"
          heads={[t("Where"), t("Address"), t("Signed in"), t("Last seen")]}
          hasActions
        >
          <tbody>
            {sessions.data.map((session) => (
              <SessionRow key={session.ref} session={session} />
            ))}
          </tbody>
        </DataTable>
      ) : null}
    </Card>
  );
}

function EndOthers() {
  const { call } = usePortal();
  const queries = useQueryClient();
  const own = useOwnSessions();
  const [asking, setAsking] = useState(false);
  const end = async () => {
    await call("DELETE /v1/user/sessions", {});
    void queries.invalidateQueries(own);
    void notify(t("All other sessions ended"));
  };
  return (
    <>
      <Button
        size="small"
        onPointerEnter={ActionDialog.preload}
        onFocus={ActionDialog.preload}
        onClick={() => setAsking(true)}
      >
        {t("End all other sessions")}
      </Button>
      <Suspense>
        {asking ? (
          <ActionDialog
            title={t("End all other sessions")}
            description={t(
              "All your sessions in every tenant end, except this one. API keys and your password remain valid.",
            )}
            confirm={t("End sessions")}
            danger
            failed={t("The sessions were not ended")}
            onConfirm={end}
            onClose={() => setAsking(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const own = useOwnSessions();
  const name = agentName(session.agent);
  const end = useMutation({
    mutationFn: () => call("DELETE /v1/user/sessions/{ref}", { params: { ref: session.ref } }),
    onSuccess: () => notify(t("Session on {name} ended", { name })),
    onError: (error) =>
      notify(t("The session was not ended. {message}", { message: errorText(error) })),
    onSettled: () => queries.invalidateQueries(own),
  });
  return (
    <Row>
      <Cell>
        <span className="font-medium">{name}</span>{" "}
        {session.current ? <Badge tone="accent">{t("This one")}</Badge> : null}
      </Cell>
      <Cell className="text-muted">{session.address}</Cell>
      <Cell className="text-muted" label={t("Signed in")}>
        <Instant at={session.createdAt} />
      </Cell>
      <Cell className="text-muted" label={t("Last seen")}>
        <Instant at={session.lastSeenAt} />
      </Cell>
      <Cell className="text-end" card="end">
        {session.current ? null : (
          <Button
            size="small"
            tone="quiet"
            aria-label={t("End session on {name}", { name })}
            busy={end.isPending}
            onClick={() => end.mutate()}
          >
            {t("End session")}
          </Button>
        )}
      </Cell>
    </Row>
  );
}
