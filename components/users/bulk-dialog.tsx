"use client";

import { type FormEvent, useState } from "react";
import { type Message, msg, plural, t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { User } from "@/lib/features/users/contract";
import { AffectedUsers } from "./affected-users";
import { type BulkAction, useBulkWork } from "./bulk-work";
import { LockFields } from "./lock-fields";
import { RoleFields } from "./role-fields";
import { type Outcome, runEach } from "./run-each";

const words: Record<BulkAction, { title: (count: number) => string; consequence: Message }> = {
  lock: {
    title: (count) => plural(count, "Lock 1 user", "Lock {count} users"),
    consequence: msg("Their sessions, API keys and tokens are rejected within a second."),
  },
  unlock: {
    title: (count) => plural(count, "Unlock 1 user", "Unlock {count} users"),
    consequence: msg("They can sign in again, and open sessions and keys work again."),
  },
  "add-role": {
    title: (count) => plural(count, "Add a role to 1 user", "Add a role to {count} users"),
    consequence: msg("Users who already have the role are unchanged."),
  },
  "remove-role": {
    title: (count) =>
      plural(count, "Remove a role from 1 user", "Remove a role from {count} users"),
    consequence: msg("Users who do not have the role are unchanged."),
  },
};

interface BulkDialogProps {
  action: BulkAction;
  users: User[];
  site: string | undefined;
  roleNames: Record<string, string>;
  onChanged: () => void;
  onClose: () => void;
}

/** One action for many users, with what became of each. */
export function BulkDialog({
  action,
  users,
  site,
  roleNames,
  onChanged,
  onClose,
}: BulkDialogProps) {
  const workOf = useBulkWork(site);
  const [running, setRunning] = useState(false);
  const [outcomes, setOutcomes] = useState<Outcome<User>[]>();
  const title = words[action].title(users.length);
  const isDanger = action === "lock" || action === "remove-role";
  const run = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (running) return;
    const work = workOf(action, new FormData(event.currentTarget));
    setRunning(true);
    setOutcomes([]);
    await runEach(users, work, (outcome) => setOutcomes((before = []) => [...before, outcome]));
    setRunning(false);
    onChanged();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => !running}
      title={title}
      description={t(words[action].consequence)}
    >
      {outcomes ? (
        <Outcomes outcomes={outcomes} total={users.length} onClose={onClose} running={running} />
      ) : (
        <form method="post" onSubmit={(event) => void run(event)} className="flex flex-col gap-4">
          <AffectedUsers users={users} />
          {action === "lock" ? <LockFields /> : null}
          {action.endsWith("role") ? <RoleFields roleNames={roleNames} site={site} /> : null}
          <DialogActions>
            <Button onClick={onClose}>{t("Cancel")}</Button>
            <Button type="submit" tone={isDanger ? "danger" : "primary"}>
              {title}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  );
}

interface OutcomesProps {
  outcomes: Outcome<User>[];
  total: number;
  running: boolean;
  onClose: () => void;
}

function Outcomes({ outcomes, total, running, onClose }: OutcomesProps) {
  const failed = outcomes.filter(({ error }) => error).length;
  return (
    <>
      <p role="status" className="figures text-control">
        {failed > 0
          ? t("{done} of {total} done, {failed} failed", {
              done: outcomes.length - failed,
              total,
              failed,
            })
          : t("{done} of {total} done", { done: outcomes.length, total })}
      </p>
      <ScrollRegion aria-label={t("Results")} className="mt-3 max-h-72 overflow-y-auto text-body">
        <ul className="flex flex-col gap-1">
          {outcomes.map(({ item, error }) => (
            <li key={item.id} className="flex gap-2">
              <span
                className={
                  error ? "shrink-0 font-medium text-danger" : "shrink-0 font-medium text-success"
                }
              >
                {error ? t("Failed") : t("Done")}
              </span>
              <span className="min-w-0">
                {item.name} ({item.login})
                {error ? <span className="text-muted">: {translated(error.message)}</span> : null}
              </span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
      <DialogActions>
        <Button tone="primary" disabled={running} onClick={onClose}>
          {t("Close")}
        </Button>
      </DialogActions>
    </>
  );
}
