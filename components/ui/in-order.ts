import { createElement, Fragment, type ReactNode } from "react";

/** Renders items identified only by their position, such as the parts of a text, as static children that need no keys. */
export const inOrder = <Item>(
  items: readonly Item[],
  draw: (item: Item, at: number) => ReactNode,
): ReactNode => createElement(Fragment, null, ...items.map(draw));
