"use client";

import Link from "next/link";
import { usePortal } from "@/components/shell/portal";
import { Badge } from "@/components/ui/badge";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { RefusedRequest } from "@/lib/features/request-log/contract";

export function RequestsTable({ requests }: { requests: RefusedRequest[] }) {
  return (
    <DataTable label="Requests, newest first" className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell>When</HeadCell>
          <HeadCell>Request</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell>Why</HeadCell>
          <HeadCell>Caller</HeadCell>
          <HeadCell>From</HeadCell>
        </tr>
      </thead>
      <tbody>
        {requests.map((one) => (
          <RequestRow key={one.id} request={one} />
        ))}
      </tbody>
    </DataTable>
  );
}

function RequestRow({ request }: { request: RefusedRequest }) {
  const { view } = usePortal();
  return (
    <Row>
      <Cell className="text-muted">
        <Instant at={request.occurredAt} />
      </Cell>
      <Cell className="max-w-80 truncate">
        <Link
          href={`/t/${view.tenant}/requests/${request.id}`}
          className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
        >
          {request.method} {request.path}
        </Link>
      </Cell>
      <Cell>
        <RequestStatus status={request.status} />
      </Cell>
      <Cell>
        <code className="text-meta">{request.code}</code>
        {request.reason ? <span className="text-muted"> {request.reason.slice(0, 60)}</span> : null}
      </Cell>
      <Cell className="text-muted">{callerWords(request)}</Cell>
      <Cell className="text-muted">{request.address}</Cell>
    </Row>
  );
}

/** A status, coloured by what it means for the caller. */
export function RequestStatus({ status }: { status: number }) {
  const tone = status >= 500 ? "danger" : status >= 400 ? "warning" : "success";
  return <Badge tone={tone}>{status}</Badge>;
}

const kinds = {
  session: "a session",
  apiKey: "an API key",
  bearer: "a bearer token",
  anonymous: "a shopper",
  customer: "a customer",
};

function callerWords({ caller }: RefusedRequest): string {
  return caller ? kinds[caller.kind] : "unknown";
}
