"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { AuditStream } from "@/lib/features/audit-streams/contract";
import { kindNames, placeOf, StreamLag, StreamState } from "./stream-state";

export function StreamsTable({ streams }: { streams: AuditStream[] }) {
  const { view } = usePortal();
  return (
    <DataTable label={t("Audit streams, newest first")} className="[--row:40px]">
      <thead>
        <tr>
          <HeadCell>{t("Destination")}</HeadCell>
          <HeadCell>{t("Kind")}</HeadCell>
          <HeadCell>{t("State")}</HeadCell>
          <HeadCell>{t("Behind")}</HeadCell>
          <HeadCell>{t("Last delivery")}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {streams.map((stream) => (
          <Row key={stream.id}>
            <Cell className="max-w-96 truncate">
              <Link
                href={`/t/${view.tenant}/streams/${stream.id}`}
                className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
              >
                {placeOf(stream)}
              </Link>
              {stream.description ? (
                <span className="block truncate text-meta text-muted">{stream.description}</span>
              ) : null}
            </Cell>
            <Cell className="text-muted">{t(kindNames[stream.kind])}</Cell>
            <Cell>
              <StreamState stream={stream} />
            </Cell>
            <Cell className="text-muted">
              <StreamLag stream={stream} />
            </Cell>
            <Cell className="text-muted">
              {stream.state.deliveredAt ? <Instant at={stream.state.deliveredAt} /> : t("none yet")}
            </Cell>
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}
