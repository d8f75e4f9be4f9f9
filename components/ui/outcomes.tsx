"use client";

import { useState } from "react";
import { t, translated } from "@/components/texts/t";
import { Button } from "./button";
import { DialogActions } from "./dialog";
import { type Outcome, runEach } from "./run-each";
import { ScrollRegion } from "./scroll-region";

/** Runs work for each item: whether it is running, and the results so far; no outcomes before the start. */
export function useOutcomes<Item>(items: readonly Item[], onDone: () => void) {
  const [outcomes, setOutcomes] = useState<Outcome<Item>[]>();
  const [isRunning, setRunning] = useState(false);
  const run = async (work: (item: Item) => Promise<unknown>) => {
    if (isRunning) return;
    setRunning(true);
    setOutcomes([]);
    await runEach(items, work, (outcome) => setOutcomes((before = []) => [...before, outcome]));
    setRunning(false);
    onDone();
  };
  return { outcomes, isRunning, run };
}

interface OutcomesProps<Item> {
  outcomes: Outcome<Item>[];
  total: number;
  keyOf: (item: Item) => string;
  nameOf: (item: Item) => string;
  /** For a close button, which is disabled until the work is done. */
  onClose?: () => void;
}

/** The progress of the work, and the outcome of each item. */
export function Outcomes<Item>(props: OutcomesProps<Item>) {
  const { outcomes, total, keyOf, nameOf, onClose } = props;
  const failed = outcomes.filter(({ error }) => error).length;
  const done = outcomes.length - failed;
  return (
    <>
      <p role="status" className="figures text-control">
        {failed > 0
          ? t("{done} of {total} done, {failed} failed", { done, total, failed })
          : t("{done} of {total} done", { done, total })}
      </p>
      <ScrollRegion aria-label={t("Results")} className="mt-3 max-h-72 overflow-y-auto text-body">
        <ul className="flex flex-col gap-1">
          {outcomes.map(({ item, error }) => (
            <li key={keyOf(item)} className="flex gap-2">
              <span
                className={
                  error ? "shrink-0 font-medium text-danger" : "shrink-0 font-medium text-success"
                }
              >
                {error ? t("Failed") : t("Done")}
              </span>
              <span className="min-w-0">
                {nameOf(item)}
                {error ? <span className="text-muted">: {translated(error.message)}</span> : null}
              </span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
      {onClose ? (
        <DialogActions>
          <Button tone="primary" disabled={outcomes.length < total} onClick={onClose}>
            {t("Close")}
          </Button>
        </DialogActions>
      ) : null}
    </>
  );
}
