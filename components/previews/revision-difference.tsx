"use client";

import { json } from "@codemirror/lang-json";
import { syntaxHighlighting } from "@codemirror/language";
import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { t } from "@/components/texts/t";
import { CallFailed } from "@/components/ui/call-failed";
import { Segmented } from "@/components/ui/form/segmented";
import { pageNonce } from "@/components/ui/page-nonce";
import { Skeleton } from "@/components/ui/skeleton";
import { editorTheme, jsonColors } from "./editor-theme";
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
      {before.data === after.data && before.data !== undefined ? (
        <p className="text-muted">{sameWords(left, right, against)}</p>
      ) : null}
    </section>
  );
}

function sameWords(left: number, right: number, against: "before" | "newest"): string {
  if (left !== right) return t("Both versions are identical.");
  return against === "before" ? t("This is the first version.") : t("This is the newest version.");
}

const readOnly = (name: string) => [
  EditorState.lineSeparator.of("\n"),
  EditorState.readOnly.of(true),
  EditorView.cspNonce.of(pageNonce()),
  EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0" }),
  EditorView.lineWrapping,
  lineNumbers(),
  json(),
  syntaxHighlighting(jsonColors),
  editorTheme,
];

function SideBySide({
  before,
  after,
  names,
}: {
  before: string;
  after: string;
  names: [string, string];
}) {
  const place = useRef<HTMLDivElement>(null);
  const [nameBefore, nameAfter] = names;
  useEffect(() => {
    if (!place.current) return;
    const view = new MergeView({
      parent: place.current,
      a: { doc: before, extensions: readOnly(nameBefore) },
      b: { doc: after, extensions: readOnly(nameAfter) },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => view.destroy();
  }, [before, after, nameBefore, nameAfter]);
  return (
    <div
      ref={place}
      className="max-h-[40rem] overflow-y-auto rounded-control border border-border"
    />
  );
}
