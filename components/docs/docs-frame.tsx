import Link from "next/link";
import type { ReactNode } from "react";
import { Brand } from "@/components/shell/brand";
import { buttonLook } from "@/components/ui/button";

const places = [
  { href: "/docs", label: "Operations" },
  { href: "/docs/events", label: "Events" },
  { href: "/docs/permissions", label: "Permissions" },
  { href: "/docs/errors", label: "Errors" },
  { href: "/openapi.json", label: "OpenAPI" },
];

const link = "rounded-control px-2 py-1 text-muted hover:text-text";

/** The frame of the reference: for everybody, signed in or not. */
export function DocsFrame({ home, children }: { home: string | undefined; children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="fixed left-3 top-3 z-60 -translate-y-16 rounded-control bg-accent px-3 py-1.5 text-control text-accent-on focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b border-border bg-bg print:hidden">
        <div className="mx-auto flex min-h-12 max-w-[1200px] flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 sm:px-6">
          <Link href="/docs" className="flex items-center gap-2 rounded-control font-semibold">
            <Brand />
            Reference
          </Link>
          <nav
            aria-label="Reference"
            className="order-last flex basis-full flex-wrap sm:order-none sm:basis-auto"
          >
            {places.map(({ href, label }) =>
              href.endsWith(".json") ? (
                <a key={href} href={href} className={link}>
                  {label}
                </a>
              ) : (
                <Link key={href} href={href} className={link}>
                  {label}
                </Link>
              ),
            )}
          </nav>
          <span className="flex-1" />
          <Link href={home ?? "/sign-in"} className={buttonLook("secondary", "small")}>
            {home ? "Open the portal" : "Sign in"}
          </Link>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[1200px] px-4 pt-6 pb-16 outline-none sm:px-6 sm:pt-8"
      >
        {children}
      </main>
    </>
  );
}
