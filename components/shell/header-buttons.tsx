"use client";

import { Menu, Search } from "lucide-react";
import { t } from "@/components/texts/t";
import { Button, buttonLook } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { openOverlay } from "./overlay";

/** Opens the menu when there is no sidebar. */
export function MenuButton() {
  return (
    <span className="-ms-2 min-[900px]:hidden">
      <button
        type="button"
        aria-label={t("Menu")}
        aria-haspopup="dialog"
        onClick={() => openOverlay("menu")}
        className={buttonLook("quiet", "icon")}
      >
        <Menu aria-hidden="true" className="size-4" />
      </button>
    </span>
  );
}

const wide =
  "hidden h-8 w-56 items-center gap-2 rounded-control border border-border-strong bg-bg px-2.5 text-body text-muted transition-colors duration-[120ms] hover:bg-subtle sm:flex lg:w-72";

export function PaletteButton() {
  const open = () => openOverlay("palette");
  return (
    <>
      <button type="button" className={wide} aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        <Search aria-hidden="true" className="size-4" />
        <span className="min-w-0 flex-1 truncate text-start">{t("Search or run a command…")}</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      <span className="sm:hidden">
        <button
          type="button"
          className={buttonLook("quiet", "icon")}
          aria-label={t("Search or run a command")}
          onClick={open}
        >
          <Search aria-hidden="true" className="size-4" />
        </button>
      </span>
    </>
  );
}

/** Opens the shortcuts, like the key `?`; hidden on narrow screens, which rarely have a keyboard. */
export function ShortcutsButton() {
  return (
    <span className="hidden sm:inline">
      <Button
        tone="quiet"
        size="icon"
        aria-label={t("Shortcuts")}
        aria-keyshortcuts="?"
        onClick={() => openOverlay("shortcuts")}
      >
        ?
      </Button>
    </span>
  );
}
