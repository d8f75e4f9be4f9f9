"use client";

import { Menu } from "lucide-react";
import { buttonLook } from "@/components/ui/button";
import { openOverlay } from "./overlay";

/** Opens the menu where no sidebar shows it. */
export function MenuButton() {
  return (
    <span className="-ml-2 min-[900px]:hidden">
      <button
        type="button"
        aria-label="Menu"
        aria-haspopup="dialog"
        onClick={() => openOverlay("menu")}
        className={buttonLook("quiet", "icon")}
      >
        <Menu aria-hidden="true" className="size-4" />
      </button>
    </span>
  );
}
