import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The editor's theme in the portal's design tokens, for both themes. */
export const editorTheme = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--bg)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": {
    fontFamily: '"Geist Mono", "Geist Mono Fallback", ui-monospace, monospace',
    lineHeight: "20px",
  },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": {
    color: "var(--faint)",
    backgroundColor: "var(--surface)",
    borderRight: "1px solid var(--border)",
  },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    {
      backgroundColor: "var(--accent-bg)",
    },
  ".cm-tooltip, .cm-panels": {
    color: "var(--ink)",
    backgroundColor: "var(--bg)",
    borderColor: "var(--border)",
  },
  ".cm-foldPlaceholder": {
    color: "var(--muted)",
    backgroundColor: "var(--subtle)",
    borderColor: "var(--border)",
  },
  ".cm-changedLine": { backgroundColor: "var(--warning-bg) !important" },
  ".cm-changedText": {
    background: "none !important",
    textDecoration: "underline 2px var(--warning)",
  },
  // Removed text in one colour: the colours of JSON have too little contrast on this background.
  ".cm-deletedChunk": { color: "var(--ink)", backgroundColor: "var(--danger-bg) !important" },
  ".cm-deletedText, .cm-deletedText *": {
    color: "var(--ink) !important",
    background: "none !important",
    textDecoration: "line-through 1px var(--danger)",
  },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"…"' },
  ".cm-collapsedLines": { color: "var(--muted)", background: "var(--subtle)" },
});

export const jsonColors = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--success)" },
  { tag: tags.number, color: "var(--warning)" },
  { tag: [tags.bool, tags.null], color: "var(--danger)" },
]);
