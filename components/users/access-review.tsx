"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Kbd } from "@/components/ui/kbd";
import { lazyPart } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { ListResult } from "@/components/ui/table/list-result";
import type { User } from "@/lib/features/users/contract";
import type { RoleFacts } from "./access-changes";
import { useReviewQuery } from "./access-queries";
import { type Grant, grantsOf, removalsOf, useReviewMarks } from "./access-review-marks";
import { AccessReviewTable } from "./access-review-table";

const ReviewDialog = lazyPart(() =>
  import("./access-review-dialog").then((module) => module.AccessReviewDialog),
);

interface AccessReviewProps {
  facts: RoleFacts[];
  /** The only site where the current user manages users; undefined for the whole tenant. */
  site: string | undefined;
}

/** A review of all grants, to keep or remove one by one. */
export function AccessReview(props: AccessReviewProps) {
  const found = useInfiniteQuery(useReviewQuery(props.site));
  return (
    <>
      <PageHeader
        title={t("Access review")}
        wide
        lead={rich(
          "Who has which role, and when it was last used. {k} keeps, {r} marks for removal, {up} {down} move. Nothing is removed before you save.",
          { k: <Kbd>k</Kbd>, r: <Kbd>r</Kbd>, up: <Kbd>↑</Kbd>, down: <Kbd>↓</Kbd> },
        )}
      />
      <ListResult
        found={found}
        failed={t("The users could not be loaded")}
        more={t("Show more users")}
        empty={
          <EmptyState
            title={t("No users")}
            purpose={t("People and programs with roles are here.")}
          />
        }
      >
        {(users) => <Review {...props} users={users} onSaved={() => void found.refetch()} />}
      </ListResult>
    </>
  );
}

interface ReviewProps extends AccessReviewProps {
  users: User[];
  onSaved: () => void;
}

const marksText = (removed: number, kept: number, all: number) =>
  plural(removed, "1 removal, {kept} kept of {all}", "{count} removals, {kept} kept of {all}", {
    kept,
    all,
  });

function Review({ users, facts, site, onSaved }: ReviewProps) {
  const { view } = usePortal();
  const [marks, setMarks] = useReviewMarks(view.tenant);
  const [isSaving, setIsSaving] = useState(false);
  const grants = users.flatMap((user) => grantsOf(user, view.tenant));
  const removals = removalsOf(marks, grants);
  const removed = removals.reduce((sum, one) => sum + one.grants.length, 0);
  const kept = grants.filter(({ key }) => marks[key] === "keep").length;
  const unmark = (done: readonly Grant[]) => {
    const keys = new Set(done.map(({ key }) => key));
    setMarks(Object.fromEntries(Object.entries(marks).filter(([key]) => !keys.has(key))));
    onSaved();
  };
  return (
    <div className="flex flex-col gap-6">
      <div className="rounded-card border border-border bg-bg">
        <AccessReviewTable {...{ grants, facts, site, marks }} onMarks={setMarks} />
      </div>
      <section
        aria-label={t("Marks")}
        className="sticky bottom-4 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-border-strong bg-bg p-4"
      >
        <p role="status" className="figures min-w-0 flex-1 basis-48 text-control">
          {marksText(removed, kept, grants.length)}
        </p>
        <Button disabled={kept + removed === 0} onClick={() => setMarks({})}>
          {t("Clear marks")}
        </Button>
        <Button
          tone="primary"
          disabled={removed === 0}
          onPointerEnter={ReviewDialog.preload}
          onFocus={ReviewDialog.preload}
          onClick={() => setIsSaving(true)}
        >
          {t("Review and save")}
        </Button>
      </section>
      {isSaving ? (
        <ReviewDialog
          {...{ removals, facts, site }}
          onRemoved={unmark}
          onClose={() => setIsSaving(false)}
        />
      ) : null}
    </div>
  );
}
