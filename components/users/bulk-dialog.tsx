"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { User } from "@/lib/features/users/contract";
import { type BulkAction, useBulkWork } from "./bulk-work";
import { LockFields } from "./lock-fields";
import { RoleFields } from "./role-fields";
import { type Outcome, runEach } from "./run-each";

const words: Record<BulkAction, { verb: string; consequence: string }> = {
  lock: {
    verb: "Lock",
    consequence: "Their sessions, API keys and tokens are rejected within a second.",
  },
  unlock: {
    verb: "Unlock",
    consequence: "They can sign in again, and open sessions and keys work again.",
  },
  "add-role": {
    verb: "Add a role to",
    consequence: "Users who already have the role are unchanged.",
  },
  "remove-role": {
    verb: "Remove a role from",
    consequence: "Users who do not have the role are unchanged.",
  },
};

const count = (users: User[]) => (users.length === 1 ? "1 user" : `${users.length} users`);

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
  const { verb, consequence } = words[action];
  const title = `${verb} ${count(users)}`;
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
      description={consequence}
    >
      {outcomes ? (
        <Outcomes outcomes={outcomes} total={users.length} onClose={onClose} running={running} />
      ) : (
        <form onSubmit={(event) => void run(event)} className="flex flex-col gap-4">
          {action === "lock" ? <LockFields /> : null}
          {action.endsWith("role") ? <RoleFields roleNames={roleNames} site={site} /> : null}
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
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
        {outcomes.length - failed} of {total} done{failed > 0 ? `, ${failed} failed` : ""}
      </p>
      <ScrollRegion aria-label="Results" className="mt-3 max-h-72 overflow-y-auto text-body">
        <ul className="flex flex-col gap-1">
          {outcomes.map(({ item, error }) => (
            <li key={item.id} className="flex gap-2">
              <span
                className={
                  error ? "shrink-0 font-medium text-danger" : "shrink-0 font-medium text-success"
                }
              >
                {error ? "Failed" : "Done"}
              </span>
              <span className="min-w-0">
                {item.name} ({item.login})
                {error ? <span className="text-muted">: {error.message}</span> : null}
              </span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
      <DialogActions>
        <Button tone="primary" disabled={running} onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  );
}
