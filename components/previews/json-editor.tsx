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
} from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { Node } from "jsonc-parser";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { t } from "@/components/texts/t";
import { pageNonce } from "@/components/ui/page-nonce";
import { editorTheme, jsonColors } from "./editor-theme";
import { foldIfLong } from "./json-folding";
import { JsonOutline } from "./json-outline";
import { JsonTools, openSearch } from "./json-tools";
import type { PlacedProblem } from "./problems";

interface JsonEditorProps {
  text: string;
  root: Node | undefined;
  readOnly: boolean;
  problems: PlacedProblem[];
  onChange: (text: string) => void;
  /** The position of the cursor to set; a new object sets it again. */
  jump: { offset: number } | undefined;
}

const fromOutside = Annotation.define<boolean>();
const locked = new Compartment();
const wrapping = new Compartment();
const lockedTo = (readOnly: boolean) => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
];

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

/** A longer text is reported when typing pauses: parsing it on every keystroke would delay typing. */
const maxReadAtOnce = 100_000;
const pauseMs = 250;

/** Reports changed texts, a long one after a pause; `flush` reports a pending one at once. */
function createReporter(report: (text: string) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: EditorState | undefined;
  const flush = () => {
    clearTimeout(timer);
    const state = waiting;
    waiting = undefined;
    if (state) report(state.sliceDoc());
  };
  const change = (state: EditorState) => {
    waiting = state;
    clearTimeout(timer);
    if (state.doc.length <= maxReadAtOnce) flush();
    else timer = setTimeout(flush, pauseMs);
  };
  return { change, flush };
}

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
    const reporter = createReporter((text) => report.current(text));
    const listener = EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside)))
        reporter.change(update.state);
    });
    // Reports the text before the focus leaves the editor or a key saves it.
    const leaving = EditorView.domEventHandlers({
      blur: () => reporter.flush(),
      keydown: ({ ctrlKey, metaKey }) => {
        if (ctrlKey || metaKey) flushSync(reporter.flush);
      },
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
        leaving,
        locked.of(lockedTo(initial.current.readOnly)),
      ],
    });
    const view = new EditorView({ state, parent: place.current });
    foldIfLong(view);
    editor.current = view;
    window.addEventListener("pagehide", reporter.flush);
    return () => {
      window.removeEventListener("pagehide", reporter.flush);
      reporter.flush();
      view.destroy();
    };
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
  const { text, root, readOnly, problems, jump } = props;
  const { place, editor } = useEditor(props);
  const [isOutlined, setIsOutlined] = useState(false);

  // A layout effect: text typed between the rendering of an older text and a later effect would look like an external change.
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
      <JsonTools
        {...{ readOnly, editor, wrapping, isOutlined }}
        onChange={props.onChange}
        onOutline={() => setIsOutlined(!isOutlined)}
      />
      <div className="flex min-h-0 flex-1 max-sm:flex-col">
        {isOutlined && root ? (
          <JsonOutline
            root={root}
            onOpen={(offset) => editor.current && showOffset(editor.current, offset)}
          />
        ) : null}
        <div ref={place} dir="ltr" className="min-h-0 min-w-0 flex-1" />
      </div>
    </div>
  );
}
