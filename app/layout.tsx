import geist from "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { preload } from "react-dom";
import { ThemeProvider } from "@/components/shell/theme-provider";
import { reader, t } from "@/components/texts/t";
import "@/app/globals.css";

export function generateMetadata(): Metadata {
  return {
    title: { default: "Gatehouse", template: "%s · Gatehouse" },
    description: t("Access and management for a multi-tenant commerce platform"),
    robots: { index: false },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#08090a" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Preloaded before the style sheet that uses it, so that little text is first drawn in another width.
  preload(geist, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  const nonce = (await headers()).get("x-gatehouse-nonce") ?? undefined;
  const { language, direction, script } = reader();
  return (
    <html
      lang={language}
      dir={direction}
      className="font-sans print:scheme-light!"
      suppressHydrationWarning
    >
      {script ? (
        <head>
          {/* Not async: it must run before any text is shown. */}
          <script src={script} nonce={nonce} />
        </head>
      ) : null}
      <body>
        <ThemeProvider nonce={nonce}>{children}</ThemeProvider>
      </body>
    </html>
  );
}
