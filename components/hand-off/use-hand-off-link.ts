"use client";

import { useEffect, useState } from "react";
import { forgetFragment } from "@/components/ui/forget-fragment";
import { type HandOffLink, readHandOffLink } from "./link";

/** Reads the link and takes its fragment out of the address. */
function takeLink(): HandOffLink | undefined {
  const { hash } = window.location;
  if (hash) forgetFragment();
  return readHandOffLink(hash);
}

/** The link that led here; undefined until the page runs. One that is pasted into the address later counts too. */
export function useHandOffLink(): HandOffLink | "incomplete" | undefined {
  const [link, setLink] = useState<HandOffLink | "incomplete">();
  useEffect(() => {
    const take = () => {
      const taken = takeLink();
      setLink((known) => taken ?? known ?? "incomplete");
    };
    take();
    window.addEventListener("hashchange", take);
    return () => window.removeEventListener("hashchange", take);
  }, []);
  return link;
}
