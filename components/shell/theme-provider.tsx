"use client";

import { ThemeProvider as NextThemes } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { pageNonce } from "@/components/ui/page-nonce";
import { noteZone } from "./cookies";

/** Light, dark or the system's, decided before the first paint. What the server knows of a browser is noted here too. */
export function ThemeProvider({
  nonce,
  children,
}: {
  nonce: string | undefined;
  children: ReactNode;
}) {
  // A later rendering has another nonce; what counts is the one this document came with.
  const [first] = useState(nonce);
  useEffect(() => {
    // Where the scroll lock of menus and dialogs looks for it.
    Object.assign(globalThis, { __webpack_nonce__: pageNonce() });
    noteZone();
  }, []);
  return (
    <NextThemes
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      {...(first && { nonce: first })}
    >
      {children}
    </NextThemes>
  );
}
