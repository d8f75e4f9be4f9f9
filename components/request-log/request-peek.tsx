"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { PeekPanel } from "@/components/ui/peek-panel";
import type { RefusedRequest } from "@/lib/features/request-log/contract";
import { callerWords, RequestStatus } from "./request-words";

interface RequestPeekProps {
  request: RefusedRequest;
  href: string;
  onClose: () => void;
}

function Id({ text, what }: { text: string; what: string }) {
  return (
    <>
      <code className="break-all text-meta">{text}</code>
      <CopyButton text={text} label={`Copy ${what}`} />
    </>
  );
}

function factsOf(request: RefusedRequest) {
  const { caller, requestId, operation, code, reason, site, address, agent } = request;
  const optional = [
    { name: "Operation", value: operation },
    { name: "Code", value: code && <code className="text-meta">{code}</code> },
    { name: "Reason", value: reason },
    { name: "Site", value: site },
  ];
  return [
    { name: "When", value: <Instant at={request.occurredAt} form="full" /> },
    ...optional.filter(({ value }) => Boolean(value)),
    { name: "Caller", value: callerWords(request) },
    ...(caller?.userId
      ? [{ name: "User", value: <Id text={caller.userId} what="user id" /> }]
      : []),
    ...(caller?.credentialId
      ? [{ name: "Credential", value: <Id text={caller.credentialId} what="credential id" /> }]
      : []),
    { name: "From", value: address },
    { name: "Agent", value: agent || "none" },
    { name: "Took", value: `${request.durationMs} ms` },
    { name: "Request id", value: <Id text={requestId} what="request id" /> },
  ];
}

/** The main facts of a request beside the list; its steps are on its page. */
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
