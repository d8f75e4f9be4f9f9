"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { type RoleFacts, wholeTenant } from "./access-changes";
import type { Grant, Removal } from "./access-review-marks";
import { useRoleChange } from "./bulk-work";
import { type Outcome, runEach } from "./run-each";

interface AccessReviewDialogProps {
  removals: Removal[];
  facts: RoleFacts[];
  site: string | undefined;
  /** What was removed, once all was tried. */
  onRemoved: (grants: Grant[]) => void;
  onClose: () => void;
}

/** Saves the removals of the moment it was made: the marks go as they are done. */
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

/** The removals person by person, and what became of each. One person's roles are one change, which the trail records. */
export function AccessReviewDialog(props: AccessReviewDialogProps) {
  const { facts, onClose } = props;
  const { removals, outcomes, isRunning, isDone, run } = useRemovals(props);
  const count = removals.reduce((sum, { grants }) => sum + grants.length, 0);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => !isRunning}
      title={count === 1 ? "Remove 1 role" : `Remove ${count} roles`}
      description="What a person can no longer do takes effect within a second. Roles can be granted again."
    >
      <ScrollRegion aria-label="Removals" className="max-h-72 overflow-y-auto text-body">
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
        {isDone ? null : <Button onClick={onClose}>Cancel</Button>}
        <Button
          tone={isDone ? "primary" : "danger"}
          busy={isRunning}
          onClick={isDone ? onClose : () => void run()}
        >
          {isDone ? "Close" : "Save removals"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function summaryOf(outcomes: Outcome<Removal>[]): string {
  const failed = outcomes.filter(({ error }) => error).length;
  const people = outcomes.length === 1 ? "1 person" : `${outcomes.length} people`;
  return `${outcomes.length - failed} of ${people} done${failed > 0 ? `, ${failed} failed` : ""}`;
}

interface RemovalLineProps {
  removal: Removal;
  facts: RoleFacts[];
  outcome: Outcome<Removal> | undefined;
}

function RemovalLine({ removal: { user, grants }, facts, outcome }: RemovalLineProps) {
  const texts = grants.map(({ roleId, place }) => {
    const name = facts.find(({ id }) => id === roleId)?.name ?? roleId;
    return place === wholeTenant ? name : `${name} at ${place}`;
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
          {outcome.error ? `Not removed: ${outcome.error.message}` : "Removed"}
        </span>
      ) : null}
    </li>
  );
}
