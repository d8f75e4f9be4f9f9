"use client";

import { t } from "@/components/texts/t";
import { Facts } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import { PeekPanel } from "@/components/ui/table/peek-panel";
import type { RefusedRequest } from "@/lib/features/request-log/contract";
import { CallerName, RequestStatus } from "./request-words";

interface RequestPeekProps {
  request: RefusedRequest;
  href: string;
  onClose: () => void;
}

function Id({ text, what }: { text: string; what: string }) {
  return (
    <>
      <code className="break-all text-meta">{text}</code>
      <CopyButton text={text} label={t("Copy {what}", { what })} />
    </>
  );
}

function factsOf(request: RefusedRequest) {
  const { caller, requestId, operation, code, reason, site, address, agent } = request;
  const optional = [
    { name: t("Operation"), value: operation },
    { name: t("Code"), value: code && <code className="text-meta">{code}</code> },
    { name: t("Reason"), value: reason },
    { name: t("Site"), value: site },
  ];
  return [
    { name: t("When"), value: <Instant at={request.occurredAt} form="full" /> },
    ...optional.filter(({ value }) => Boolean(value)),
    { name: t("Caller"), value: <CallerName request={request} /> },
    ...(caller?.userId
      ? [{ name: t("User"), value: <Id text={caller.userId} what={t("user id")} /> }]
      : []),
    ...(caller?.credentialId
      ? [
          {
            name: t("Credential"),
            value: <Id text={caller.credentialId} what={t("credential id")} />,
          },
        ]
      : []),
    { name: t("From"), value: address },
    { name: t("Agent"), value: agent || t("none") },
    { name: t("Took"), value: `${request.durationMs} ms` },
    { name: t("Request id"), value: <Id text={requestId} what={t("request id")} /> },
  ];
}

/** The main facts of a request next to the list; its steps are on its page. */
export function RequestPeek({ request, href, onClose }: RequestPeekProps) {
  return (
    <PeekPanel
      row={request.id}
      title={`${request.method} ${request.path}`}
      status={<RequestStatus status={request.status} />}
      href={href}
      onClose={onClose}
    >
      <Facts facts={factsOf(request)} />
    </PeekPanel>
  );
}
