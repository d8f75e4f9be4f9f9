"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";
import { RowPeek } from "@/components/ui/table/row-peek";
import { Cell, Head, Row } from "@/components/ui/table/table";
import type { RefusedRequest } from "@/lib/features/request-log/contract";
import { CallerName, RequestStatus, WhyText } from "./request-words";

const RequestPeek = lazyPart(() => import("./request-peek").then((module) => module.RequestPeek));

const idOf = ({ id }: RefusedRequest) => id;

export function RequestsTable({ requests }: { requests: RefusedRequest[] }) {
  const { view } = usePortal();
  const hrefOf = ({ id }: RefusedRequest) => `/t/${view.tenant}/requests/${id}`;
  return (
    <RowPeek
      items={requests}
      idOf={idOf}
      peek={(request, onClose) => (
        <RequestPeek request={request} href={hrefOf(request)} onClose={onClose} />
      )}
    >
      <DataTable label={t("Requests, newest first")} className="[--row:36px]">
        <Head names={[t("When"), t("Request"), t("Status"), t("Why"), t("Caller"), t("From")]} />
        <tbody>
          {requests.map((one) => (
            <RequestRow key={one.id} request={one} href={hrefOf(one)} />
          ))}
        </tbody>
      </DataTable>
    </RowPeek>
  );
}

function RequestRow({ request, href }: { request: RefusedRequest; href: string }) {
  return (
    <Row>
      <Cell className="text-muted">
        <Instant at={request.occurredAt} />
      </Cell>
      <Cell className="max-w-80 truncate" card="lead">
        <Link
          href={href}
          data-row={request.id}
          title={`${request.method} ${request.path}`}
          className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
        >
          {request.method} {request.path}
        </Link>
      </Cell>
      <Cell card="end">
        <RequestStatus status={request.status} />
      </Cell>
      <Cell className="max-w-80 truncate" title={`${request.code} ${request.reason ?? ""}`.trim()}>
        <WhyText request={request} />
      </Cell>
      <Cell className="max-w-56 truncate text-muted">
        <CallerName request={request} hasLinks={false} />
      </Cell>
      <Cell className="text-muted">{request.address}</Cell>
    </Row>
  );
}
