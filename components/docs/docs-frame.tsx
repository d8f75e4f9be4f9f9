import type { ReactNode } from "react";
import { Brand } from "@/components/shell/brand";
import { buttonLook } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Kbd } from "@/components/ui/kbd";
import { MenuIcon, SearchIcon } from "@/components/ui/plain-icons";
import { type DocsGroup, DocsNavigation } from "./docs-navigation";
import { DocsSearch } from "./docs-search";

interface DocsFrameProps {
  home: string | undefined;
  groups: DocsGroup[];
  children: ReactNode;
}

/** The frame of the documentation, signed in or not. Plain links and icons load no script. */
export function DocsFrame({ home, groups, children }: DocsFrameProps) {
  return (
    <>
      <a
        href="#content"
        className="fixed left-3 top-3 z-60 -translate-y-16 rounded-control bg-accent px-3 py-1.5 text-control text-accent-on focus:translate-y-0 print:hidden"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-b border-border bg-bg print:hidden">
        <div className="mx-auto flex min-h-12 max-w-[1440px] flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 sm:px-6">
          <a href="/docs" className="flex items-center gap-2 rounded-control font-semibold">
            <Brand />
            Documentation
          </a>
          <div className="order-last flex basis-full sm:order-none sm:flex-1 sm:basis-52">
            <DocsSearch>
              <SearchIcon className="pointer-events-none absolute left-2.5 top-2 size-4 text-muted" />
              <span className="pointer-events-none absolute right-2 top-1.5 max-sm:hidden">
                <Kbd>/</Kbd>
              </span>
            </DocsSearch>
          </div>
          <a
            href={home ?? "/sign-in"}
            className={classNames(buttonLook("secondary", "small"), "ml-auto")}
          >
            {home ? "Open the portal" : "Sign in"}
          </a>
        </div>
      </header>
      <div className="mx-auto w-full max-w-[1440px] px-4 pt-4 pb-16 sm:px-6 lg:grid lg:grid-cols-[208px_minmax(0,1fr)] lg:gap-x-10 lg:pt-8">
        <div className="mb-6 lg:sticky lg:top-20 lg:mb-0 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto">
          <DocsNavigation groups={groups} icon={<MenuIcon className="size-4" />} />
        </div>
        <main id="content" tabIndex={-1} className="min-w-0 outline-none">
          {children}
        </main>
      </div>
    </>
  );
}
