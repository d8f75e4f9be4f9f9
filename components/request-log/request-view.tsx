"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { CallFailed } from "@/components/ui/call-failed";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import type { RefusedRequestDetails } from "@/lib/features/request-log/contract";
import { CurrentDecision } from "./current-decision";
import { requestKeys } from "./query-keys";
import { CallerName, RequestStatus } from "./request-words";
import { Steps } from "./steps";

/** One request: the checks it passed, the one it failed, and what it would get today. */
export function RequestView({ id }: { id: string }) {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: requestKeys.one(view.tenant, id),
    queryFn: ({ signal }) => call("GET /v1/requests/{id}", { params: { id }, signal }),
  });
  if (found.data) return <Found request={found.data} />;
  return (
    <>
      <PageHeader title={t("Request")} />
      {found.error ? (
        <CallFailed title={t("The request could not be loaded")} error={found.error} />
      ) : (
        <Skeleton className="h-96" />
      )}
    </>
  );
}

function Found({ request }: { request: RefusedRequestDetails }) {
  const { view } = usePortal();
  const { title, remedy, code, reason, status, caller } = request;
  return (
    <>
      <Breadcrumb
        above={[{ label: t("Requests"), href: `/t/${view.tenant}/requests` }]}
        here={`${status} ${code}`.trim()}
      />
      <PageHeader
        title={`${request.method} ${request.path}`}
        lead={`${title} ${remedy}`}
        actions={<RequestStatus status={status} />}
      />
      <div className="flex flex-col gap-6">
        <Card
          id="decision"
          title={t("Step by step")}
          description={
            status < 400
              ? t("The checks that every request passes, in order: this one passed all.")
              : t("The checks that every request passes, in order, and where this one stopped.")
          }
        >
          <Steps steps={request.steps} code={code} reason={reason} />
        </Card>
        {request.now ? <CurrentDecision now={request.now} userId={caller?.userId} /> : null}
        <Card id="facts" title={t("The request")}>
          <Facts facts={factsOf(request)} />
        </Card>
      </div>
    </>
  );
}

function factsOf(request: RefusedRequestDetails) {
  const { requestId, occurredAt, operation, site, caller, address, agent, durationMs } = request;
  const none = <span className="text-muted">{t("none")}</span>;
  return [
    { name: t("When"), value: <Instant at={occurredAt} form="full" /> },
    {
      name: t("Request id"),
      value: (
        <>
          <code className="break-all text-meta">{requestId}</code>
          <CopyButton text={requestId} label={t("Copy request id")} />
        </>
      ),
    },
    { name: t("Operation"), value: operation ?? none },
    { name: t("Site"), value: site ?? none },
    {
      name: t("Caller"),
      value: (
        <>
          <CallerName request={request} />{" "}
          <code className="break-all text-meta text-muted">{caller?.credentialId}</code>
        </>
      ),
    },
    { name: t("From"), value: `${address}${agent ? `, ${agent}` : ""}` },
    { name: t("Took"), value: `${durationMs} ms` },
  ];
}
