"use client";

import { MoreHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { type Message, msg, t, translated } from "@/components/texts/t";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu } from "@/components/ui/menu/menu";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { Release } from "@/lib/features/previews/releases/contract";
import type { ReleaseAct } from "./release-dialog";

const ReleaseDialog = lazyPart(() =>
  import("./release-dialog").then((module) => module.ReleaseDialog),
);

const states: Record<Release["state"], { words: Message; tone: BadgeTone }> = {
  open: { words: msg("Open##state"), tone: "neutral" },
  scheduled: { words: msg("Scheduled"), tone: "accent" },
  published: { words: msg("Published"), tone: "success" },
  failed: { words: msg("Failed"), tone: "danger" },
  cancelled: { words: msg("Cancelled"), tone: "neutral" },
};

const columns = () => [t("Name"), t("State"), t("Previews"), t("Due"), t("Ended")];

export function ReleasesTable({ releases, site }: { releases: Release[]; site: string }) {
  const [chosen, setChosen] = useState<{ release: Release; act: ReleaseAct }>();
  return (
    <>
      <DataTable
        label={t("Releases, newest first")}
        className="[--row:44px]"
        name="releases"
        heads={columns()}
        hasActions
      >
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
      <Cell wraps card="end">
        <Badge tone={tone} dot>
          {t(words)}
        </Badge>
        {release.problems.map(({ key, detail }) => (
          <p key={key ?? ""} className="mt-1 max-w-80 text-meta text-danger wrap-anywhere">
            {translated(detail)}
          </p>
        ))}
      </Cell>
      <Cell className="max-w-72 truncate text-muted" title={keys}>
        {keys}
      </Cell>
      <Cell className="text-muted" label={t("Due")}>
        {release.at ? <Instant at={release.at} /> : t("Not scheduled")}
      </Cell>
      <Cell className="text-muted" label={t("Ended")}>
        {release.endedAt ? <Instant at={release.endedAt} /> : t("Not yet")}
      </Cell>
      <Cell className="w-10" card="act">
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
    item("publish", t("Publish now")),
    item("schedule", t("Schedule")),
    ...(release.state === "failed" ? [item("renew", t("Take newest versions"))] : []),
  ];
  const end = [
    ...(release.endedAt === null ? [item("cancel", t("Cancel release"))] : []),
    item("delete", t("Delete release"), true),
  ];
  return (
    <Menu
      tone="quiet"
      size="icon"
      aria-label={t("Actions for {name}", { name: release.name })}
      groups={[
        ...(release.endedAt === null ? [{ key: "open", items: open }] : []),
        { key: "end", items: end },
      ]}
    >
      <MoreHorizontal aria-hidden="true" className="size-4" />
    </Menu>
  );
}
