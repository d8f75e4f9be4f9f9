import { createElement, Fragment, type ReactNode } from "react";

/** Draws things that have no name but their place, such as the parts of a text: as if each were written out, so that none needs a key. */
export const inOrder = <Item>(
  items: readonly Item[],
  draw: (item: Item, at: number) => ReactNode,
): ReactNode => createElement(Fragment, null, ...items.map(draw));
