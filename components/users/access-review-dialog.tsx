"use client";

import { useState } from "react";
import { plural, t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { errorText } from "@/components/ui/error-notice";
import { type Outcome, runEach } from "@/components/ui/run-each";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { type RoleFacts, wholeTenant } from "./access-changes";
import type { Grant, Removal } from "./access-review-marks";
import { useRoleChange } from "./bulk-work";

interface AccessReviewDialogProps {
  removals: Removal[];
  facts: RoleFacts[];
  site: string | undefined;
  /** Called with the removed grants once all removals have been tried. */
  onRemoved: (grants: Grant[]) => void;
  onClose: () => void;
}

/** Saves a snapshot of the removals, because marks disappear as they are saved. */
function useRemovals({ removals: given, site, onRemoved }: AccessReviewDialogProps) {
  const remove = useRoleChange(site);
  const [removals] = useState(given);
  const [isRunning, setIsRunning] = useState(false);
  const [outcomes, setOutcomes] = useState<Outcome<Removal>[]>([]);
  const run = async () => {
    if (isRunning) return;
    const found: Outcome<Removal>[] = [];
    setIsRunning(true);
    await runEach(
      removals,
      ({ user, wishes }) => remove(user, wishes),
      (outcome) => {
        found.push(outcome);
        setOutcomes([...found]);
      },
    );
    setIsRunning(false);
    onRemoved(found.flatMap(({ item, error }) => (error ? [] : item.grants)));
  };
  return { removals, outcomes, isRunning, isDone: outcomes.length > 0 && !isRunning, run };
}

/** The removals by user, with the outcome of each. The removals of one user are one change and one audit entry. */
export function AccessReviewDialog(props: AccessReviewDialogProps) {
  const { facts, onClose } = props;
  const { removals, outcomes, isRunning, isDone, run } = useRemovals(props);
  const count = removals.reduce((sum, { grants }) => sum + grants.length, 0);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => !isRunning}
      title={plural(count, "Remove 1 role", "Remove {count} roles")}
      description={t(
        "What a person can no longer do takes effect within a second. Roles can be granted again.",
      )}
    >
      <ScrollRegion aria-label={t("Removals")} className="max-h-72 overflow-y-auto text-body">
        <ul className="flex flex-col gap-2">
          {removals.map((removal) => {
            const outcome = outcomes.find(({ item }) => item === removal);
            return <RemovalLine key={removal.user.id} {...{ removal, facts, outcome }} />;
          })}
        </ul>
      </ScrollRegion>
      <p role="status" className="figures mt-3 text-body text-muted">
        {isDone ? summaryOf(outcomes) : ""}
      </p>
      <DialogActions>
        {isDone ? null : <Button onClick={onClose}>{t("Cancel")}</Button>}
        <Button
          tone={isDone ? "primary" : "danger"}
          busy={isRunning}
          onClick={isDone ? onClose : () => void run()}
        >
          {isDone ? t("Close") : t("Save removals")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function summaryOf(outcomes: Outcome<Removal>[]): string {
  const failed = outcomes.filter(({ error }) => error).length;
  const values = { done: outcomes.length - failed, failed };
  return failed > 0
    ? plural(
        outcomes.length,
        "{done} of 1 person done, {failed} failed",
        "{done} of {count} people done, {failed} failed",
        values,
      )
    : plural(outcomes.length, "{done} of 1 person done", "{done} of {count} people done", values);
}

interface RemovalLineProps {
  removal: Removal;
  facts: RoleFacts[];
  outcome: Outcome<Removal> | undefined;
}

function RemovalLine({ removal: { user, grants }, facts, outcome }: RemovalLineProps) {
  const texts = grants.map(({ roleId, place }) => {
    const name = facts.find(({ id }) => id === roleId)?.name ?? roleId;
    const shown = translated(name);
    return place === wholeTenant ? shown : t("{name} at {place}", { name: shown, place });
  });
  return (
    <li>
      <span className="font-medium">{user.name}</span> ({user.login}): {texts.join(", ")}
      {outcome ? (
        <span
          className={
            outcome.error ? "block font-medium text-danger" : "block font-medium text-success"
          }
        >
          {outcome.error
            ? t("Not removed: {message}", { message: errorText(outcome.error) })
            : t("Removed")}
        </span>
      ) : null}
    </li>
  );
}
