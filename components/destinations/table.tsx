"use client";

import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";

interface DestinationStateProps {
  destination: {
    status: "enabled" | "disabled";
    disabledReason: "by-user" | "failing" | "gone" | null;
  };
  failingSince: string | null;
}

/** Whether deliveries are enabled and whether they succeed. */
export function DestinationState({ destination, failingSince }: DestinationStateProps) {
  const { status, disabledReason } = destination;
  if (status === "disabled")
    return (
      <Badge tone={disabledReason === "by-user" ? "neutral" : "danger"} dot>
        {t("disabled")}
      </Badge>
    );
  return failingSince ? (
    <Badge tone="warning" dot>
      {t("failing")}
    </Badge>
  ) : (
    <Badge tone="success" dot>
      {t("enabled")}
    </Badge>
  );
}

interface Column<One> {
  name: string;
  cell: (one: One) => ReactNode;
  className?: string;
  /** The position in a card, on a phone. */
  card?: "end";
}

interface DestinationsTableProps<One> {
  label: string;
  /** The first column's head. */
  name: string;
  items: readonly One[];
  /** The page of one. */
  pathOf: (one: One) => string;
  /** The destination. */
  placeOf: (one: One) => string;
  columns: readonly Column<One>[];
}

/** A table of webhooks or audit streams: the destination of each, and further columns. */
export function DestinationsTable<One extends { id: string; description: string }>(
  props: DestinationsTableProps<One>,
) {
  const { label, name, items, pathOf, placeOf, columns } = props;
  return (
    <DataTable
      label={label}
      className="[--row:40px]"
      name="destinations"
      heads={[name, ...columns.map((column) => column.name)]}
    >
      <tbody>
        {items.map((one) => (
          <Row key={one.id}>
            <Cell className="max-w-96 truncate" card="both">
              <Link
                href={pathOf(one)}
                className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
              >
                {placeOf(one)}
              </Link>
              {one.description ? (
                <span className="block truncate text-meta text-muted">{one.description}</span>
              ) : null}
            </Cell>
            {columns.map((column) => (
              <Cell
                key={column.name}
                className={column.className}
                card={column.card}
                label={column.card ? undefined : column.name}
              >
                {column.cell(one)}
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </DataTable>
  );
}
