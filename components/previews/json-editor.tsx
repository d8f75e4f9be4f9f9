"use client";

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { pageNonce } from "@/components/ui/page-nonce";
import { editorTheme, jsonColors } from "./editor-theme";
import type { PlacedProblem } from "./problems";

interface JsonEditorProps {
  text: string;
  readOnly: boolean;
  problems: PlacedProblem[];
  onChange: (text: string) => void;
  /** Where to put the cursor; a new object asks again. */
  jump: { offset: number } | undefined;
}

const fromOutside = Annotation.define<boolean>();
const locked = new Compartment();
const lockedTo = (readOnly: boolean) =>
  locked.of([EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)]);

/** Few search, so the code for it comes when they do. */
function openSearch(view: EditorView): boolean {
  void import("./json-search").then(({ addSearch }) => addSearch(view));
  return true;
}

const extensions = [
  // Lines end at \n alone: a carriage return stays where it is, byte for byte.
  EditorState.lineSeparator.of("\n"),
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  json(),
  syntaxHighlighting(jsonColors),
  lintGutter(),
  keymap.of([...defaultKeymap, ...historyKeymap, { key: "Mod-f", run: openSearch }]),
  EditorView.contentAttributes.of({ "aria-label": "Configuration as JSON", tabindex: "0" }),
  editorTheme,
];

/** The smallest replacement that turns one text into the other: cursor and undo history survive it. */
function differenceOf(before: string, after: string) {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > from && endAfter > from && before[endBefore - 1] === after[endAfter - 1])
    [endBefore, endAfter] = [endBefore - 1, endAfter - 1];
  return { from, to: endBefore, insert: after.slice(from, endAfter) };
}

const within = (offset: number, view: EditorView) => Math.min(offset, view.state.doc.length);

export function JsonEditor({ text, readOnly, problems, onChange, jump }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const tell = useRef(onChange);
  const first = useRef({ text, readOnly });

  useEffect(() => {
    tell.current = onChange;
  }, [onChange]);

  useEffect(() => {
    if (!place.current) return;
    const report = EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside)))
        tell.current(update.state.sliceDoc());
    });
    const state = EditorState.create({
      doc: first.current.text,
      extensions: [
        ...extensions,
        EditorView.cspNonce.of(pageNonce()),
        report,
        lockedTo(first.current.readOnly),
      ],
    });
    const view = new EditorView({ state, parent: place.current });
    editor.current = view;
    return () => view.destroy();
  }, []);

  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.sliceDoc() === text) return;
    view.dispatch({
      changes: differenceOf(view.state.sliceDoc(), text),
      annotations: fromOutside.of(true),
    });
  }, [text]);

  useEffect(() => {
    editor.current?.dispatch({
      effects: locked.reconfigure([
        EditorState.readOnly.of(readOnly),
        EditorView.editable.of(!readOnly),
      ]),
    });
  }, [readOnly]);

  useEffect(() => {
    const view = editor.current;
    if (!view) return;
    const diagnostics = problems.map(({ offset, length, detail, isFatal }) => ({
      from: within(offset, view),
      to: within(offset + length, view),
      severity: isFatal ? ("error" as const) : ("warning" as const),
      message: detail,
    }));
    view.dispatch(setDiagnostics(view.state, diagnostics));
  }, [problems]);

  useEffect(() => {
    const view = editor.current;
    if (!view || !jump) return;
    const anchor = within(jump.offset, view);
    view.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    view.focus();
  }, [jump]);

  return <div ref={place} className="h-full" />;
}
