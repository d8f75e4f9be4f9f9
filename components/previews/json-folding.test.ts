import { json } from "@codemirror/lang-json";
import { codeFolding, foldedRanges } from "@codemirror/language";
import { EditorState, type StateEffect, type Transaction } from "@codemirror/state";
import { expect, test } from "vitest";
import { foldDeep } from "./json-folding";
import { printJson } from "./printed-json";

/** Applies the effects as a view does, without a DOM. */
function folded(text: string): string[] {
  let state = EditorState.create({ doc: text, extensions: [json(), codeFolding()] });
  const dispatch = (spec: { effects: StateEffect<unknown>[] }) => {
    const change: Transaction = state.update(spec);
    state = change.state;
  };
  foldDeep({ state, dispatch });
  const found: string[] = [];
  foldedRanges(state).between(0, text.length, (from, to) => {
    found.push(text.slice(from, to).replace(/\s+/g, " ").trim());
  });
  return found;
}

test("content nested in a member is folded, the members stay visible", () => {
  const text = printJson('{"a":1,"hero":{"lines":["x"],"n":2},"list":[{"k":1},2],"e":{}}');
  expect(folded(text)).toEqual(['"lines": [ "x" ], "n": 2', '{ "k": 1 }, 2']);
});
