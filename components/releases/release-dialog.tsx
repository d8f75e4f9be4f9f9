"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { siteKey } from "@/components/previews/keys";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { notify } from "@/components/ui/toast";
import type { Release } from "@/lib/features/previews/releases/contract";
import { DueField, dueIn } from "./due-field";

export type ReleaseAct = "publish" | "schedule" | "renew" | "cancel" | "delete";

const words: Record<ReleaseAct, Record<"title" | "confirm" | "failed" | "done", Message>> = {
  publish: {
    title: msg('Publish release "{name}"'),
    confirm: msg("Publish now"),
    failed: msg("Nothing was published"),
    done: msg('"{name}" published'),
  },
  schedule: {
    title: msg('Schedule release "{name}"'),
    confirm: msg("Schedule"),
    failed: msg("The release was not scheduled"),
    done: msg('"{name}" scheduled'),
  },
  renew: {
    title: msg('Take the newest versions "{name}"'),
    confirm: msg("Take newest versions"),
    failed: msg("The release was not changed"),
    done: msg('"{name}" open again'),
  },
  cancel: {
    title: msg('Cancel release "{name}"'),
    confirm: msg("Cancel release"),
    failed: msg("The release was not cancelled"),
    done: msg('"{name}" cancelled'),
  },
  delete: {
    title: msg('Delete release "{name}"'),
    confirm: msg("Delete release"),
    failed: msg("The release was not deleted"),
    done: msg('"{name}" deleted'),
  },
};

const consequences: Record<ReleaseAct, Message> = {
  publish: msg("These previews get their stage at once. If one of them was changed, none does."),
  schedule: msg("It is published then with the rights that you have at that time."),
  renew: msg("The release then publishes the versions that are the newest now."),
  cancel: msg("It is never published. The previews stay as they are."),
  delete: msg("It disappears from this list. What it published stays."),
};

/** Runs one action on a release. */
function useReleaseAct(site: string, { id, entries }: Release) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const of = { site, params: { id } };
  const acts: Record<ReleaseAct, (at: string | undefined) => Promise<unknown>> = {
    publish: () => call("POST /pim/releases/{id}/publish", { ...of, body: {} }),
    schedule: (at) => call("POST /pim/releases/{id}/publish", { ...of, body: at ? { at } : {} }),
    renew: () => {
      const body = { entries: entries.map(({ key, stage }) => ({ key, stage })) };
      return call("PATCH /pim/releases/{id}", { ...of, body });
    },
    cancel: () => call("POST /pim/releases/{id}/cancel", of),
    delete: () => call("DELETE /pim/releases/{id}", of),
  };
  return async (act: ReleaseAct, at: string | undefined) => {
    await acts[act](at);
    await queries.invalidateQueries({ queryKey: siteKey(view.tenant, site) });
  };
}

interface ReleaseDialogProps {
  release: Release;
  act: ReleaseAct;
  site: string;
  onClose: () => void;
}

/** Confirms before a release is published, scheduled, changed or ended. */
export function ReleaseDialog({ release, act, site, onClose }: ReleaseDialogProps) {
  const [due, setDue] = useState("");
  const run = useReleaseAct(site, release);
  const { title, confirm, failed, done } = words[act];
  return (
    <ActionDialog
      title={t(title, { name: release.name })}
      description={t(consequences[act])}
      confirm={t(confirm)}
      keep={t("Keep as it is")}
      danger={act === "delete"}
      failed={t(failed)}
      fields={["/at"]}
      onConfirm={async () => {
        await run(act, dueIn(due));
        void notify(t(done, { name: release.name }));
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <ul className="flex flex-col gap-1 text-body">
            {release.entries.map(({ key, stage, version }) => (
              <li key={key} className="flex flex-wrap gap-x-2 wrap-anywhere">
                <code>{key}</code>
                <span className="text-muted">
                  {t("version {version}, to {stage}", { version, stage })}
                </span>
              </li>
            ))}
          </ul>
          {act === "schedule" ? (
            <DueField value={due} error={errors["/at"]} required onChange={setDue} />
          ) : null}
        </>
      )}
    </ActionDialog>
  );
}
