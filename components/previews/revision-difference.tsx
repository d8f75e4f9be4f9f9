"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@/components/texts/t";
import { CallFailed } from "@/components/ui/error-notice";
import { Segmented } from "@/components/ui/form/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { SideBySide } from "./changes-view";
import { useRevisionText } from "./preview-queries";

interface RevisionDifferenceProps {
  site: string;
  previewKey: string;
  n: number;
  newest: number;
}

/** Two versions side by side: the chosen one and the one before it, or the newest. */
export function RevisionDifference({ site, previewKey, n, newest }: RevisionDifferenceProps) {
  const [against, setAgainst] = useState<"before" | "newest">("before");
  const [left, right] = against === "before" ? [Math.max(1, n - 1), n] : [n, newest];
  const before = useQuery(useRevisionText(site, previewKey, left));
  const after = useQuery(useRevisionText(site, previewKey, right));
  const error = before.error ?? after.error;
  const options = [
    { value: "before", label: t("Previous version") },
    { value: "newest", label: t("The newest") },
  ] as const;
  return (
    <section
      aria-label={t("Difference")}
      className="flex min-w-0 flex-col gap-3 rounded-card border border-border bg-bg p-4"
    >
      <Segmented
        legend={t("Compare version {n} with", { n })}
        name="against"
        options={options}
        value={against}
        onChange={setAgainst}
      />
      <div className="grid grid-cols-2 text-meta text-muted">
        <span>{t("Version {left}", { left })}</span>
        <span>{t("Version {right}", { right })}</span>
      </div>
      {error ? <CallFailed title={t("The versions could not be loaded")} error={error} /> : null}
      {before.data !== undefined && after.data !== undefined ? (
        <SideBySide
          before={before.data}
          after={after.data}
          names={[t("Version {left}", { left }), t("Version {right}", { right })]}
        />
      ) : (
        <Skeleton className="h-96" />
      )}
      {left === right || (before.data !== undefined && before.data === after.data) ? (
        <p className="text-muted">{sameWords(left, right, against)}</p>
      ) : null}
    </section>
  );
}

function sameWords(left: number, right: number, against: "before" | "newest"): string {
  if (left !== right) return t("Both versions are identical.");
  return against === "before" ? t("This is the first version.") : t("This is the newest version.");
}
