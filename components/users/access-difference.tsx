"use client";

import { plural, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { AccessChange } from "./access-changes";

interface AccessDifferenceProps {
  changes: AccessChange[];
  /** Keys of the user that would be rejected. */
  breaking: { name: string; lastUsedOperation: string | null }[];
  saving: boolean;
  onDiscard: () => void;
  onSave: () => void;
}

/** The changes on saving, in words, which stay in view while the table scrolls. */
export function AccessDifference({
  changes,
  breaking,
  saving,
  onDiscard,
  onSave,
}: AccessDifferenceProps) {
  if (changes.length === 0)
    return (
      <p className="text-body text-muted">{t("Changes are summarized here before you save.")}</p>
    );
  return (
    <section
      aria-labelledby="changes-title"
      className="sticky bottom-4 z-20 rounded-card border border-border-strong bg-bg p-4"
    >
      <h2 id="changes-title" className="text-control font-semibold">
        <span role="status">{t("Changes ({count})", { count: changes.length })}</span>
      </h2>
      <ul className="mt-2 flex max-h-48 flex-col gap-1 overflow-y-auto text-body">
        {changes.map((change) => (
          <Change key={change.cell} change={change} />
        ))}
      </ul>
      {breaking.length > 0 ? <BreakingKeys keys={breaking} /> : null}
      {/* Above the role names: on the right they would cover the checkboxes of the table. */}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={onDiscard}>{t("Discard")}</Button>
        <Button tone="primary" busy={saving} onClick={onSave}>
          {plural(changes.length, "Save 1 change", "Save {count} changes")}
        </Button>
      </div>
    </section>
  );
}

function Change({ change: { sign, role, where, effect } }: { change: AccessChange }) {
  return (
    <li>
      <span className={sign === "+" ? "font-medium text-success" : "font-medium text-danger"}>
        {sign} {role}
      </span>{" "}
      {where}: <span className="text-muted">{effect}</span>
    </li>
  );
}

function BreakingKeys({ keys }: { keys: AccessDifferenceProps["breaking"] }) {
  return (
    <div className="mt-3">
      <Notice tone="warning">
        {plural(
          keys.length,
          "1 key of this user would be rejected: {keys}.",
          "{count} keys of this user would be rejected: {keys}.",
          {
            keys: keys
              .map((key) =>
                t('"{name}" (last {lastUsedOperation})', {
                  name: key.name,
                  lastUsedOperation: key.lastUsedOperation ?? "",
                }),
              )
              .join(", "),
          },
        )}
      </Notice>
    </div>
  );
}
