"use client";

import { json } from "@codemirror/lang-json";
import { syntaxHighlighting } from "@codemirror/language";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { t } from "@/components/texts/t";
import { pageNonce } from "@/components/ui/page-nonce";
import { editorTheme, jsonColors } from "./editor-theme";

const readOnly = (name: string): Extension[] => [
  EditorState.lineSeparator.of("\n"),
  EditorState.readOnly.of(true),
  EditorState.phrases.of({ "$ unchanged lines": t("$ unchanged lines") }),
  EditorView.cspNonce.of(pageNonce()),
  EditorView.contentAttributes.of({ "aria-label": name, tabindex: "0" }),
  EditorView.lineWrapping,
  lineNumbers(),
  json(),
  syntaxHighlighting(jsonColors),
  editorTheme,
];

const collapseUnchanged = { margin: 3, minSize: 6 };

/** Large texts are compared line by line when a comparison by character takes too long. */
const diffConfig = { scanLimit: 500, timeout: 200 };

interface SideBySideProps {
  before: string;
  after: string;
  names: [string, string];
}

/** Two texts side by side. */
export function SideBySide({ before, after, names }: SideBySideProps) {
  const place = useRef<HTMLDivElement>(null);
  const [nameBefore, nameAfter] = names;
  useEffect(() => {
    if (!place.current) return;
    const view = new MergeView({
      parent: place.current,
      a: { doc: before, extensions: readOnly(nameBefore) },
      b: { doc: after, extensions: readOnly(nameAfter) },
      gutter: true,
      collapseUnchanged,
      diffConfig,
    });
    return () => view.destroy();
  }, [before, after, nameBefore, nameAfter]);
  return <div ref={place} className="h-96 overflow-y-auto rounded-control border border-border" />;
}

/** The changes of an edit, line by line, before it is saved. */
export function ChangesView({ before, after }: Omit<SideBySideProps, "names">) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const comparison = unifiedMergeView({
      ...{ original: before, mergeControls: false, gutter: true, syntaxHighlightDeletions: false },
      ...{ collapseUnchanged, diffConfig },
    });
    const extensions = [...readOnly(t("Unsaved edits")), comparison];
    const state = EditorState.create({ doc: after, extensions });
    const view = new EditorView({ state, parent: place.current });
    return () => view.destroy();
  }, [before, after]);
  return <div ref={place} dir="ltr" className="h-full" />;
}
