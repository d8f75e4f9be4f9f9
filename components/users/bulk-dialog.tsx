"use client";

import type { FormEvent } from "react";
import { type Message, msg, plural, t } from "@/components/texts/t";
import { Affected } from "@/components/ui/affected";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Outcomes, useOutcomes } from "@/components/ui/outcomes";
import type { User } from "@/lib/features/users/contract";
import { type BulkAction, useBulkWork } from "./bulk-work";
import { LockFields } from "./lock-fields";
import { RoleFields } from "./role-fields";

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

const names = {
  keyOf: ({ id }: User) => id,
  nameOf: ({ name, login }: User) => `${name} (${login})`,
};

interface BulkDialogProps {
  action: BulkAction;
  users: User[];
  site: string | undefined;
  roleNames: Record<string, string>;
  onChanged: () => void;
  onClose: () => void;
}

/** One action for many users, with the outcome of each. */
export function BulkDialog(props: BulkDialogProps) {
  const { action, users, site, roleNames, onChanged, onClose } = props;
  const workOf = useBulkWork(site);
  const { outcomes, isRunning, run } = useOutcomes(users, onChanged);
  const title = words[action].title(users.length);
  const isDanger = action === "lock" || action === "remove-role";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(workOf(action, new FormData(event.currentTarget)));
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => !isRunning}
      title={title}
      description={t(words[action].consequence)}
    >
      {outcomes ? (
        <Outcomes outcomes={outcomes} total={users.length} {...names} onClose={onClose} />
      ) : (
        <form method="post" onSubmit={submit} className="flex flex-col gap-4">
          <Affected
            title={t("Affected users")}
            items={users.map(({ id, name, login }) => ({ id, name, detail: <code>{login}</code> }))}
          />
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
