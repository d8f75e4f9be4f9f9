"use client";

import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Facts } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { CopyButton } from "@/components/ui/copy-button";
import { Instant } from "@/components/ui/instant";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, HeadCell, Row } from "@/components/ui/table/table";
import type { AuditEvent } from "@/lib/features/audit/contract";
import { Sentence } from "./sentence";

export function AuditTable({ events }: { events: AuditEvent[] }) {
  return (
    <DataTable
      label={t("Audit entries, newest first")}
      className="[--row:36px]"
      name="audit"
      heads={[t("When"), t("What happened"), t("From")]}
      first={
        <HeadCell className="w-8">
          <span className="sr-only">{t("Details")}</span>
        </HeadCell>
      }
    >
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
  const { view } = usePortal();
  const { action, address, occurredAt } = event;
  return (
    <>
      <Row>
        <Cell>
          <Button
            tone="quiet"
            size="small"
            aria-expanded={open}
            aria-label={t("Details of {action}, {occurredAt}", { action, occurredAt })}
            icon={
              <ChevronRight
                aria-hidden="true"
                className={classNames(
                  "size-4 transition-transform",
                  open ? "rotate-90" : "rtl:rotate-180",
                )}
              />
            }
            onClick={() => setOpen(!open)}
          />
        </Cell>
        <Cell className="text-muted">
          <Instant at={occurredAt} />
        </Cell>
        <Cell className="max-w-160 truncate" card="text">
          <Sentence event={event} place={view} />
        </Cell>
        <Cell className="text-muted">{address ?? t("erased")}</Cell>
      </Row>
      {open ? (
        <tr>
          <td colSpan={4} className="border-b border-border bg-surface px-4 py-3">
            <Details event={event} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

const written = (value: unknown) =>
  value === undefined ? t("none") : typeof value === "string" ? value : JSON.stringify(value);

function Details({ event }: { event: AuditEvent }) {
  const { id, occurredAt, action, actor, target, changes, requestId } = event;
  const facts = [
    { name: t("When"), value: <Instant at={occurredAt} form="full" /> },
    { name: t("Action"), value: <code className="break-all text-meta">{action}</code> },
    {
      name: t("By"),
      value: `${actor.type} ${actor.id}${actor.keyId ? t(", with the key {keyId}", { keyId: actor.keyId }) : ""}`,
    },
    { name: t("On"), value: `${target.type} ${target.id}` },
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
      name: t("Request"),
      value: (
        <>
          <code className="break-all text-meta">{requestId}</code>
          <CopyButton text={requestId} label={t("Copy request id of {id}", { id })} />
        </>
      ),
    },
    { name: t("Entry"), value: <code className="break-all text-meta">{id}</code> },
  ];
  return <Facts facts={facts} />;
}
