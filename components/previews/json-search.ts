import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Prec, StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

/** Adds search to an editor, and opens it. */
export function addSearch(view: EditorView): void {
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      search({ top: true }),
      Prec.highest(keymap.of(searchKeymap)),
    ]),
  });
  openSearchPanel(view);
}
