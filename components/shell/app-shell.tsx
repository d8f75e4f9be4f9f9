import type { ReactNode } from "react";
import { ChosenTheme } from "@/components/preferences/chosen-theme";
import { PageLanguage } from "@/components/preferences/language";
import { PreferencesProvider } from "@/components/preferences/preferences";
import { reader, t } from "@/components/texts/t";
import { Link } from "@/components/ui/link";
import { Toasts } from "@/components/ui/toast";
import { Brand } from "./brand";
import { ConnectionBanner } from "./connection-banner";
import { MenuButton, PaletteButton, ShortcutsButton } from "./header-buttons";
import { Sidebar } from "./main-navigation";
import { navigationIcons } from "./navigation-icons";
import { PortalProvider } from "./portal";
import type { PortalView } from "./portal-view";
import { SessionNoticeLater, SessionOver } from "./session/session";
import { Shortcuts } from "./shortcuts";
import { SiteSwitcher } from "./site-switcher";
import { StepUp } from "./step-up";
import { KindBadge, KindStrip } from "./tenant-kind";
import { TenantSwitcher } from "./tenant-switcher";
import { UserMenu } from "./user-menu";

function Header({ view }: { view: PortalView }) {
  return (
    <header className="sticky top-0 z-30 border-b border-border bg-bg print:hidden">
      <div className="flex h-[calc(3rem-1px)] items-center gap-1 px-4">
        <MenuButton />
        <Link href={`/t/${view.tenant}`} className="me-1 rounded-control">
          <Brand />
        </Link>
        <TenantSwitcher />
        {view.sites.length > 0 ? (
          <span className="flex min-w-0 items-center sm:gap-1">
            <span aria-hidden="true" className="text-faint">
              /
            </span>
            <SiteSwitcher />
          </span>
        ) : null}
        <KindBadge view={view} />
        <span className="min-w-0 flex-1" />
        <PaletteButton />
        <ShortcutsButton />
        <UserMenu />
      </div>
    </header>
  );
}

/** The frame of every page after sign-in. */
export function AppShell({ view, children }: { view: PortalView; children: ReactNode }) {
  return (
    <PortalProvider view={view}>
      <PageLanguage chosen={view.preferences.language} rendered={reader().language} />
      <ChosenTheme theme={view.preferences.theme} />
      <PreferencesProvider chosen={view.preferences}>
        <a
          href="#content"
          className="fixed start-3 top-3 z-60 -translate-y-16 rounded-control bg-accent px-3 py-1.5 text-control text-accent-on focus:translate-y-0 print:hidden"
        >
          {t("Skip to content")}
        </a>
        <Header view={view} />
        <KindStrip view={view} />
        <ConnectionBanner />
        <div className="flex items-start">
          <Sidebar view={view} icons={navigationIcons} />
          <main
            id="content"
            tabIndex={-1}
            className="min-w-0 flex-1 px-4 pt-6 pb-16 outline-none sm:px-6 sm:pt-8"
          >
            <div className="mx-auto max-w-[1200px] has-data-wide:max-w-none">{children}</div>
          </main>
        </div>
        <Shortcuts />
        <SessionNoticeLater />
        <StepUp />
        <SessionOver />
        <Toasts />
      </PreferencesProvider>
    </PortalProvider>
  );
}
