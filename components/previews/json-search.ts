import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { Prec, StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

/** Gives an editor its search, and opens it. */
export function addSearch(view: EditorView): void {
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      search({ top: true }),
      Prec.highest(keymap.of(searchKeymap)),
    ]),
  });
  openSearchPanel(view);
}
