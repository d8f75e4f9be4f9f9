"use client";

import { MoreHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { DataTable } from "@/components/ui/data-table";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu } from "@/components/ui/menu";
import { Cell, HeadCell, Row } from "@/components/ui/table";
import type { Release } from "@/lib/features/preview-releases/contract";
import type { ReleaseAct } from "./release-dialog";

const ReleaseDialog = lazyPart(() =>
  import("./release-dialog").then((module) => module.ReleaseDialog),
);

const states: Record<Release["state"], { words: string; tone: BadgeTone }> = {
  open: { words: "Open", tone: "neutral" },
  scheduled: { words: "Scheduled", tone: "accent" },
  published: { words: "Published", tone: "success" },
  failed: { words: "Failed", tone: "danger" },
  cancelled: { words: "Cancelled", tone: "neutral" },
};

const columns = ["Name", "State", "Previews", "Due", "Ended"];

export function ReleasesTable({ releases, site }: { releases: Release[]; site: string }) {
  const [chosen, setChosen] = useState<{ release: Release; act: ReleaseAct }>();
  return (
    <>
      <DataTable label="Releases, newest first" className="[--row:44px]">
        <thead>
          <tr>
            {columns.map((name) => (
              <HeadCell key={name}>{name}</HeadCell>
            ))}
            <HeadCell>
              <span className="sr-only">Actions</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {releases.map((release) => (
            <ReleaseRow
              key={release.id}
              release={release}
              onAct={(act) => setChosen({ release, act })}
            />
          ))}
        </tbody>
      </DataTable>
      <Suspense>
        {chosen ? (
          <ReleaseDialog {...chosen} site={site} onClose={() => setChosen(undefined)} />
        ) : null}
      </Suspense>
    </>
  );
}

interface ReleaseRowProps {
  release: Release;
  onAct: (act: ReleaseAct) => void;
}

function ReleaseRow({ release, onAct }: ReleaseRowProps) {
  const { words, tone } = states[release.state];
  const keys = release.entries.map(({ key, stage }) => `${key} → ${stage}`).join(", ");
  return (
    <Row>
      <Cell className="max-w-56 truncate font-medium" title={release.name}>
        {release.name}
      </Cell>
      <Cell wraps>
        <Badge tone={tone} dot>
          {words}
        </Badge>
        {release.problems.map(({ key, detail }) => (
          <p key={key ?? ""} className="mt-1 max-w-80 text-meta text-danger wrap-anywhere">
            {detail}
          </p>
        ))}
      </Cell>
      <Cell className="max-w-72 truncate text-muted" title={keys}>
        {keys}
      </Cell>
      <Cell className="text-muted">
        {release.at ? <Instant at={release.at} /> : "Not scheduled"}
      </Cell>
      <Cell className="text-muted">
        {release.endedAt ? <Instant at={release.endedAt} /> : "Not yet"}
      </Cell>
      <Cell className="w-10">
        <ReleaseMenu release={release} onAct={onAct} />
      </Cell>
    </Row>
  );
}

function ReleaseMenu({ release, onAct }: ReleaseRowProps) {
  const item = (key: ReleaseAct, label: string, danger = false) => ({
    ...{ key, label, danger },
    onSelect: () => onAct(key),
  });
  const open = [
    item("publish", "Publish now"),
    item("schedule", "Schedule"),
    ...(release.state === "failed" ? [item("renew", "Take newest versions")] : []),
  ];
  const end = [
    ...(release.endedAt === null ? [item("cancel", "Cancel release")] : []),
    item("delete", "Delete release", true),
  ];
  return (
    <Menu
      tone="quiet"
      size="icon"
      aria-label={`Actions for ${release.name}`}
      groups={[
        ...(release.endedAt === null ? [{ key: "open", items: open }] : []),
        { key: "end", items: end },
      ]}
    >
      <MoreHorizontal aria-hidden="true" className="size-4" />
    </Menu>
  );
}
