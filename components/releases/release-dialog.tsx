"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { siteKey } from "@/components/previews/keys";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { notify } from "@/components/ui/toast";
import type { Release } from "@/lib/features/preview-releases/contract";
import { DueField, instantOf } from "./due-field";

export type ReleaseAct = "publish" | "schedule" | "renew" | "cancel" | "delete";

const words: Record<ReleaseAct, { title: string; confirm: string; failed: string; done: string }> =
  {
    publish: {
      title: "Publish release",
      confirm: "Publish now",
      failed: "Nothing was published",
      done: "published",
    },
    schedule: {
      title: "Schedule release",
      confirm: "Schedule",
      failed: "The release was not scheduled",
      done: "scheduled",
    },
    renew: {
      title: "Take the newest versions",
      confirm: "Take newest versions",
      failed: "The release was not changed",
      done: "open again",
    },
    cancel: {
      title: "Cancel release",
      confirm: "Cancel release",
      failed: "The release was not cancelled",
      done: "cancelled",
    },
    delete: {
      title: "Delete release",
      confirm: "Delete release",
      failed: "The release was not deleted",
      done: "deleted",
    },
  };

const consequences: Record<ReleaseAct, string> = {
  publish: "These previews get their stage at once. If one of them was changed, none does.",
  schedule: "It is published then with the rights that you have at that time.",
  renew: "The release then publishes the versions that are the newest now.",
  cancel: "It is never published. The previews stay as they are.",
  delete: "It disappears from this list. What it published stays.",
};

/** Does one thing with a release. */
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

/** Asks before a release is published, scheduled, changed or ended. */
export function ReleaseDialog({ release, act, site, onClose }: ReleaseDialogProps) {
  const [due, setDue] = useState("");
  const run = useReleaseAct(site, release);
  const { title, confirm, failed, done } = words[act];
  return (
    <ActionDialog
      title={`${title} "${release.name}"`}
      description={consequences[act]}
      confirm={confirm}
      keep="Keep as it is"
      danger={act === "delete"}
      failed={failed}
      fields={["/at"]}
      onConfirm={async () => {
        await run(act, instantOf(due));
        void notify(`"${release.name}" ${done}`);
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
                  version {version}, to {stage}
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
