import type { ComponentProps } from "react";

/** A region that scrolls by itself, so the keyboard must reach it. Name it by aria-label. */
export function ScrollRegion(props: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  return <section tabIndex={0} {...props} />;
}
