"use client";

import Link from "next/link";
import { usePortal } from "@/components/shell/portal";
import { Badge } from "@/components/ui/badge";
import { classNames } from "@/components/ui/class-names";
import { Instant } from "@/components/ui/instant";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { RefusedRequest } from "@/lib/features/request-log/contract";

export function RequestsTable({
  requests,
  isStale,
}: {
  requests: RefusedRequest[];
  isStale: boolean;
}) {
  const { view } = usePortal();
  return (
    <Table
      label="Rejected and failed requests, newest first"
      className={classNames("[--row:36px]", isStale && "opacity-60")}
    >
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
          <Row key={one.id}>
            <Cell className="text-muted">
              <Instant at={one.occurredAt} />
            </Cell>
            <Cell className="max-w-80 truncate">
              <Link
                href={`/t/${view.tenant}/requests/${one.id}`}
                className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
              >
                {one.method} {one.path}
              </Link>
            </Cell>
            <Cell>
              <Badge tone={one.status >= 500 ? "danger" : "warning"}>{one.status}</Badge>
            </Cell>
            <Cell>
              <code className="text-meta">{one.code}</code>
              {one.reason ? <span className="text-muted"> {one.reason.slice(0, 60)}</span> : null}
            </Cell>
            <Cell className="text-muted">{callerWords(one)}</Cell>
            <Cell className="text-muted">{one.address}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
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
