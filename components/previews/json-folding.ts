import { ensureSyntaxTree, foldEffect } from "@codemirror/language";
import type { EditorState, StateEffect } from "@codemirror/state";

/** The part of an editor that folding uses. */
interface Folding {
  state: EditorState;
  dispatch: (change: { effects: StateEffect<unknown>[] }) => void;
}

/** Longer texts are folded when they open, to their outline. */
const maxOpen = 50_000;
const foldedDepth = 2;

/** The ranges between brackets at this depth. */
function rangesAt(state: EditorState, wanted: number) {
  const ranges: { from: number; to: number }[] = [];
  let depth = 0;
  ensureSyntaxTree(state, state.doc.length, 500)?.iterate({
    enter: ({ name, from, to }) => {
      if (name !== "Object" && name !== "Array") return true;
      depth += 1;
      if (depth !== wanted) return true;
      const isOverLines = state.doc.lineAt(from).number < state.doc.lineAt(to).number;
      if (isOverLines) ranges.push({ from: from + 1, to: to - 1 });
      // The subtree is skipped, so `leave` is not called for it.
      depth -= 1;
      return false;
    },
    leave: ({ name }) => {
      if (name === "Object" || name === "Array") depth -= 1;
    },
  });
  return ranges;
}

/** Folds everything nested deeper than the outline. */
export function foldDeep(view: Folding): void {
  const effects = rangesAt(view.state, foldedDepth).map((range) => foldEffect.of(range));
  view.dispatch({ effects });
}

/** Folds only a text above the limit. */
export function foldIfLong(view: Folding): void {
  if (view.state.doc.length > maxOpen) foldDeep(view);
}
