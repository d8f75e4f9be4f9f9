"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, Minus, X } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t, translated } from "@/components/texts/t";
import { Card, Facts } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { CallFailed } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { Breadcrumb, PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import type { RefusedRequestDetails } from "@/lib/features/request-log/contract";
import { CurrentDecision } from "./current-decision";
import { requestKeys } from "./query-keys";
import { CallerName, RequestStatus } from "./request-words";

type Step = RefusedRequestDetails["steps"][number];

const words: Record<Step["step"], Message> = {
  frame: msg("Request well formed, tenant named"),
  path: msg("Route found"),
  method: msg("Method supported"),
  credential: msg("Credential valid"),
  site: msg("Site found"),
  role: msg("Roles allow it"),
  format: msg("Content types accepted"),
  input: msg("Values valid"),
  resource: msg("Resource found"),
  precondition: msg("Precondition met"),
  state: msg("State allows the change"),
  server: msg("Server succeeded"),
};

const looks = {
  passed: { icon: Check, tone: "text-success", label: msg("passed") },
  failed: { icon: X, tone: "text-danger", label: msg("failed") },
  "not-reached": { icon: Minus, tone: "text-muted", label: msg("not reached") },
};

/** The checks of a request, up to the one that ended it. */
function Steps({
  steps,
  code,
  reason,
}: {
  steps: Step[];
  code: string;
  reason: string | undefined;
}) {
  return (
    <ol className="flex flex-col gap-1.5 text-body">
      {steps.map(({ step, outcome }) => {
        const { icon: Icon, tone, label } = looks[outcome];
        return (
          <li key={step} className="flex gap-2">
            <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${tone}`} />
            <span className={outcome === "not-reached" ? "text-muted" : undefined}>
              {t(words[step])}
              <span className="sr-only">: {t(label)}</span>
              {outcome === "failed" ? (
                <span className="block wrap-anywhere text-danger">
                  <code className="text-meta">{code}</code>
                  {reason ? ` ${reason}` : ""}
                </span>
              ) : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

interface RequestViewProps {
  id: string;
  /** The remedy, in the reader's language. */
  remedy: string;
}

/** One request: the checks it passed, the one it failed, and today's decision. */
export function RequestView({ id, remedy }: RequestViewProps) {
  const { view, call } = usePortal();
  const found = useQuery({
    queryKey: requestKeys.one(view.tenant, id),
    queryFn: ({ signal }) => call("GET /v1/requests/{id}", { params: { id }, signal }),
  });
  if (found.data) return <Found request={found.data} remedy={remedy} />;
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

function Found({ request, remedy }: { request: RefusedRequestDetails; remedy: string }) {
  const { view } = usePortal();
  const { title, code, reason, status, caller } = request;
  return (
    <>
      <Breadcrumb
        above={[{ label: t("Requests"), href: `/t/${view.tenant}/requests` }]}
        here={`${status} ${code}`.trim()}
      />
      <PageHeader
        title={`${request.method} ${request.path}`}
        lead={`${translated(title)} ${remedy || request.remedy}`}
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
