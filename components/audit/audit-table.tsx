"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { CopyButton } from "@/components/ui/copy-button";
import { DataTable } from "@/components/ui/data-table";
import { Facts } from "@/components/ui/facts";
import { Instant } from "@/components/ui/instant";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { AuditEvent } from "@/lib/features/audit/contract";

export function AuditTable({ events }: { events: AuditEvent[] }) {
  return (
    <DataTable label="Audit entries, newest first" className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell className="w-8">
            <span className="sr-only">Details</span>
          </HeadCell>
          <HeadCell>When</HeadCell>
          <HeadCell>Action</HeadCell>
          <HeadCell>By</HeadCell>
          <HeadCell>On</HeadCell>
          <HeadCell>From</HeadCell>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <Entry key={event.id} event={event} />
        ))}
      </tbody>
    </DataTable>
  );
}

function Entry({ event }: { event: AuditEvent }) {
  const [open, setOpen] = useState(false);
  const { action, actor, target, address, occurredAt, result } = event;
  return (
    <>
      <Row>
        <Cell>
          <Button
            tone="quiet"
            size="small"
            aria-expanded={open}
            aria-label={`Details of ${action}, ${occurredAt}`}
            icon={
              <ChevronRight
                aria-hidden="true"
                className={classNames("size-4 transition-transform", open && "rotate-90")}
              />
            }
            onClick={() => setOpen(!open)}
          />
        </Cell>
        <Cell className="text-muted">
          <Instant at={occurredAt} />
        </Cell>
        <Cell>
          <code className="text-meta">{action}</code>
          {result === "failure" ? <span className="text-danger"> failed</span> : null}
        </Cell>
        <Cell className="max-w-48 truncate">{actor.login ?? actor.id}</Cell>
        <Cell className="max-w-64 truncate text-muted">
          {target.type} {target.name ?? target.id}
        </Cell>
        <Cell className="text-muted">{address ?? "erased"}</Cell>
      </Row>
      {open ? (
        <tr>
          <td colSpan={6} className="border-b border-border bg-surface px-4 py-3">
            <Details event={event} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

const written = (value: unknown) =>
  value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value);

function Details({ event }: { event: AuditEvent }) {
  const { id, occurredAt, actor, target, changes, requestId } = event;
  const facts = [
    { name: "When", value: <Instant at={occurredAt} form="full" /> },
    {
      name: "By",
      value: `${actor.type} ${actor.id}${actor.keyId ? `, with the key ${actor.keyId}` : ""}`,
    },
    { name: "On", value: `${target.type} ${target.id}` },
    ...Object.entries(changes).map(([name, { before, after }]) => ({
      name,
      value: (
        <span className="wrap-anywhere">
          {before === undefined ? null : <del className="text-muted">{written(before)}</del>}{" "}
          <ins className="no-underline">{written(after)}</ins>
        </span>
      ),
    })),
    {
      name: "Request",
      value: (
        <>
          <code className="break-all text-meta">{requestId}</code>
          <CopyButton text={requestId} label={`Copy request id of ${id}`} />
        </>
      ),
    },
    { name: "Entry", value: <code className="break-all text-meta">{id}</code> },
  ];
  return <Facts facts={facts} />;
}
