"use client";

import { Suspense, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { isLive, type ListedKey, maxKeysAtOnce, mayRotate } from "./bulk-keys";
import type { Whose } from "./suspend";

const RotateKeys = lazyPart(() =>
  import("./rotate-keys-dialog").then((module) => module.RotateKeysDialog),
);
const RevokeKeys = lazyPart(() =>
  import("./revoke-keys-dialog").then((module) => module.RevokeKeysDialog),
);

interface BulkKeysBarProps {
  keys: ListedKey[];
  whose: Whose;
  onClear: () => void;
}

/** The actions on all selected keys. */
export function BulkKeysBar({ keys, whose, onClear }: BulkKeysBarProps) {
  // The list changes while the action runs: a dialog keeps the keys that it was opened for.
  const [action, setAction] = useState<{ kind: "rotate" | "revoke"; keys: ListedKey[] }>();
  const live = keys.filter(isLive);
  const rotatable = live.filter(mayRotate);
  const isTooMany = live.length > maxKeysAtOnce;
  const close = () => {
    setAction(undefined);
    onClear();
  };
  const given = action && { keys: action.keys, whose, onClose: close };
  return (
    <section
      aria-label={t("Selected keys")}
      className="flex flex-wrap items-center gap-2 border-b border-border bg-accent-bg px-3 py-2"
    >
      <span role="status" className="figures text-body font-medium">
        {t("{count} selected", { count: keys.length })}
      </span>
      <Button
        size="small"
        disabled={isTooMany || rotatable.length === 0}
        onClick={() => setAction({ kind: "rotate", keys: rotatable })}
      >
        {t("Rotate")}
      </Button>
      <Button
        size="small"
        disabled={isTooMany || live.length === 0}
        onClick={() => setAction({ kind: "revoke", keys: live })}
      >
        {t("Revoke")}
      </Button>
      <Button size="small" tone="quiet" onClick={onClear}>
        {t("Clear selection")}
      </Button>
      {isTooMany ? (
        <span className="text-meta text-muted">
          {t("Select at most {count} keys.", { count: maxKeysAtOnce })}
        </span>
      ) : null}
      <Suspense>
        {given && action.kind === "rotate" ? <RotateKeys {...given} /> : null}
        {given && action.kind === "revoke" ? <RevokeKeys {...given} /> : null}
      </Suspense>
    </section>
  );
}
