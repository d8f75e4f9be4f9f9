"use client";

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
  unfoldAll,
} from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { pageNonce } from "@/components/ui/page-nonce";
import { createPart } from "@/components/ui/part";
import { editorTheme, jsonColors } from "./editor-theme";
import { parseDocument } from "./json-document";
import { foldDeep, foldIfLong } from "./json-folding";
import { printJson } from "./printed-json";
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
const wrapping = new Compartment();
const lockedTo = (readOnly: boolean) => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
];

const search = createPart(() => import("./json-search"));

/** Few search, so the code for it comes when they do. */
function openSearch(view: EditorView): boolean {
  void search.arrival().then(({ addSearch }) => addSearch(view));
  return true;
}

const extensions = [
  // Lines end only at \n: a carriage return stays where it is, byte for byte.
  EditorState.lineSeparator.of("\n"),
  lineNumbers(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  json(),
  syntaxHighlighting(jsonColors),
  lintGutter(),
  codeFolding(),
  foldGutter({ openText: "−", closedText: "+" }),
  wrapping.of(EditorView.lineWrapping),
  keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, { key: "Mod-f", run: openSearch }]),
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

/** Creates the editor once, in the element that the returned `place` is given to. */
function useEditor({ text, readOnly, onChange }: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const report = useRef(onChange);
  const initial = useRef({ text, readOnly });

  useEffect(() => {
    report.current = onChange;
  }, [onChange]);

  useEffect(() => {
    if (!place.current) return;
    const listener = EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside)))
        report.current(update.state.sliceDoc());
    });
    const state = EditorState.create({
      doc: initial.current.text,
      extensions: [
        ...extensions,
        EditorView.contentAttributes.of({
          "aria-label": t("Configuration as JSON"),
          tabindex: "0",
        }),
        EditorView.cspNonce.of(pageNonce()),
        listener,
        locked.of(lockedTo(initial.current.readOnly)),
      ],
    });
    const view = new EditorView({ state, parent: place.current });
    foldIfLong(view);
    editor.current = view;
    return () => view.destroy();
  }, []);

  return { place, editor };
}

function showProblems(view: EditorView, problems: PlacedProblem[]): void {
  const diagnostics = problems.map(({ offset, length, detail, isFatal }) => ({
    from: within(offset, view),
    to: within(offset + length, view),
    severity: isFatal ? ("error" as const) : ("warning" as const),
    message: detail,
  }));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

function showOffset(view: EditorView, offset: number): void {
  const anchor = within(offset, view);
  view.dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: "center" }),
  });
  view.focus();
}

export function JsonEditor(props: JsonEditorProps) {
  const { text, readOnly, problems, jump } = props;
  const { place, editor } = useEditor(props);

  // At once: what was typed between the drawing of an older text and this would be taken for a change from outside.
  useLayoutEffect(() => {
    const view = editor.current;
    if (!view || view.state.sliceDoc() === text) return;
    view.dispatch({
      changes: differenceOf(view.state.sliceDoc(), text),
      annotations: fromOutside.of(true),
    });
  }, [text, editor]);

  useEffect(() => {
    editor.current?.dispatch({ effects: locked.reconfigure(lockedTo(readOnly)) });
  }, [readOnly, editor]);

  useEffect(() => {
    if (editor.current) showProblems(editor.current, problems);
  }, [problems, editor]);

  useEffect(() => {
    if (editor.current && jump) showOffset(editor.current, jump.offset);
  }, [jump, editor]);

  return (
    <div className="flex h-full flex-col">
      <Tools {...{ text, readOnly, editor }} onChange={props.onChange} />
      <div ref={place} dir="ltr" className="min-h-0 flex-1" />
    </div>
  );
}

interface ToolsProps extends Pick<JsonEditorProps, "text" | "readOnly" | "onChange"> {
  editor: ReturnType<typeof useEditor>["editor"];
}

/** What can be done with the text as a whole. */
function Tools({ text, readOnly, onChange, editor }: ToolsProps) {
  const [isWrapped, setWrapped] = useState(true);
  const withEditor = (work: (view: EditorView) => unknown) => () => {
    if (editor.current) work(editor.current);
  };
  const wrap = (view: EditorView) => {
    view.dispatch({ effects: wrapping.reconfigure(isWrapped ? [] : EditorView.lineWrapping) });
    setWrapped(!isWrapped);
  };
  const format = () => {
    if (parseDocument(text).root) onChange(printJson(text));
  };
  return (
    <div
      role="toolbar"
      aria-label={t("JSON")}
      className="flex flex-wrap gap-1 border-b border-border px-2 py-1"
    >
      {readOnly ? null : (
        <Button size="small" tone="quiet" onClick={format}>
          {t("Format")}
        </Button>
      )}
      <Button size="small" tone="quiet" onClick={withEditor(wrap)}>
        {isWrapped ? t("Do not wrap lines") : t("Wrap lines")}
      </Button>
      <Button size="small" tone="quiet" onClick={withEditor(foldDeep)}>
        {t("Fold")}
      </Button>
      <Button size="small" tone="quiet" onClick={withEditor(unfoldAll)}>
        {t("Unfold")}
      </Button>
      <Button
        size="small"
        tone="quiet"
        aria-keyshortcuts="Control+F"
        onClick={withEditor(openSearch)}
      >
        {t("Search")}
      </Button>
    </div>
  );
}
