"use client";

import { ThemeProvider as NextThemes } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { pageNonce } from "@/components/ui/page-nonce";
import { noteZone } from "./cookies";

/** Light, dark or the system's, decided before the first paint. Also stores the facts about the browser that the server reads. */
export function ThemeProvider({
  nonce,
  children,
}: {
  nonce: string | undefined;
  children: ReactNode;
}) {
  // Later renders have other nonces; only that of the document is valid.
  const [first] = useState(nonce);
  useEffect(() => {
    // The scroll lock of menus and dialogs reads it from there.
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
