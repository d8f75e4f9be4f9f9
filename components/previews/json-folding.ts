import { ensureSyntaxTree, foldEffect } from "@codemirror/language";
import type { EditorState, StateEffect } from "@codemirror/state";

/** What is used of an editor. */
interface Folding {
  state: EditorState;
  dispatch: (change: { effects: StateEffect<unknown>[] }) => void;
}

/** Longer texts are folded when they open, to their outline. */
const maxOpen = 50_000;
const foldedDepth = 2;

/** The ranges of what is nested this deep, between its brackets. */
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
      // Not left again, for it is not entered.
      depth -= 1;
      return false;
    },
    leave: ({ name }) => {
      if (name === "Object" || name === "Array") depth -= 1;
    },
  });
  return ranges;
}

/** Folds what is nested deeper than the outline. */
export function foldDeep(view: Folding): void {
  const effects = rangesAt(view.state, foldedDepth).map((range) => foldEffect.of(range));
  view.dispatch({ effects });
}

/** The same for a text too long to be looked through. */
export function foldIfLong(view: Folding): void {
  if (view.state.doc.length > maxOpen) foldDeep(view);
}
