"use client";

import { unfoldAll } from "@codemirror/language";
import type { Compartment } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { createPart } from "@/components/ui/part";
import { parseDocument } from "./json-document";
import { foldDeep } from "./json-folding";
import { printJson } from "./printed-json";

const search = createPart(() => import("./json-search"));

/** Few users search, so the code is loaded on first use. */
export function openSearch(view: EditorView): boolean {
  void search.arrival().then(({ addSearch }) => addSearch(view));
  return true;
}

interface JsonToolsProps {
  readOnly: boolean;
  editor: RefObject<EditorView | undefined>;
  wrapping: Compartment;
  isOutlined: boolean;
  onChange: (text: string) => void;
  onOutline: () => void;
}

/** The actions on the whole text. */
export function JsonTools(props: JsonToolsProps) {
  const { readOnly, editor, wrapping, isOutlined, onChange, onOutline } = props;
  const [isWrapped, setWrapped] = useState(true);
  const wrap = (view: EditorView) => {
    view.dispatch({ effects: wrapping.reconfigure(isWrapped ? [] : EditorView.lineWrapping) });
    setWrapped(!isWrapped);
  };
  const format = ({ state }: EditorView) => {
    const text = state.sliceDoc();
    if (parseDocument(text).root) onChange(printJson(text));
  };
  const tool = (label: string, work: (view: EditorView) => unknown, keys?: string) => (
    <Button
      size="small"
      tone="quiet"
      aria-keyshortcuts={keys}
      onClick={() => editor.current && work(editor.current)}
    >
      {label}
    </Button>
  );
  return (
    <div
      role="toolbar"
      aria-label={t("JSON")}
      className="flex flex-wrap gap-1 border-b border-border px-2 py-1"
    >
      <Button size="small" tone="quiet" aria-pressed={isOutlined} onClick={onOutline}>
        {t("Outline")}
      </Button>
      {readOnly ? null : tool(t("Format"), format)}
      {tool(isWrapped ? t("Do not wrap lines") : t("Wrap lines"), wrap)}
      {tool(t("Fold"), foldDeep)}
      {tool(t("Unfold"), unfoldAll)}
      {tool(t("Search"), openSearch, "Control+F")}
    </div>
  );
}
