"use client";

import { Menu } from "lucide-react";
import { t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";
import { openOverlay } from "./overlay";

/** Opens the menu where no sidebar shows it. */
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
