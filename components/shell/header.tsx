import { Link } from "@/components/ui/link";
import { Brand } from "./brand";
import { MenuButton } from "./menu-button";
import { PaletteButton } from "./palette/button";
import type { PortalView } from "./portal-view";
import { ShortcutsButton } from "./shortcuts-button";
import { SiteSwitcher } from "./site-switcher";
import { KindBadge } from "./tenant-kind";
import { TenantSwitcher } from "./tenant-switcher";
import { UserMenu } from "./user-menu";

export function Header({ view }: { view: PortalView }) {
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
