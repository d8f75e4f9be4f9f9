"use client";

import NextLink from "next/link";
import { useRouter } from "next/navigation";
import type { ComponentProps } from "react";
import { savesData } from "./idle";

/** The time that the pointer or focus rests on a link before its page is prefetched: longer than it takes to pass over it. */
const restMs = 80;

let resting: ReturnType<typeof setTimeout> | undefined;

/** The handlers that detect that a user is about to open a link. A click cancels a pending prefetch, because it loads the page itself. */
function intent(ask: () => void) {
  const leave = () => clearTimeout(resting);
  const rest = () => {
    leave();
    if (!savesData()) resting = setTimeout(ask, restMs);
  };
  return {
    ...{ onMouseEnter: rest, onTouchStart: rest, onFocusCapture: rest },
    ...{ onMouseLeave: leave, onTouchMove: leave, onBlurCapture: leave, onClickCapture: leave },
  };
}

interface LinkProps
  extends Omit<ComponentProps<typeof NextLink>, "prefetch" | keyof ReturnType<typeof intent>> {
  href: string;
}

/**
 * A link to a page of the portal or the documentation. Next would prefetch the page of every link
 * in view, each of which the server renders; this one prefetches when the pointer, a finger or the focus rests on it.
 */
export function Link(props: LinkProps) {
  const router = useRouter();
  return <NextLink {...props} {...intent(() => router.prefetch(props.href))} prefetch={false} />;
}
