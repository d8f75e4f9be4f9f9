"use client";

import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { openOverlay } from "./overlay";

/** Opens what `?` opens, for who does not know it yet; a screen this narrow rarely has a keyboard. */
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
