"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useState } from "react";
import { useFocusReturn } from "@/components/ui/focus-return";
import { openOverlay } from "./overlay";
import { PaletteActions } from "./palette-actions";
import { PaletteNothing } from "./palette-item";
import { PaletteRequest } from "./palette-request";
import { PaletteTenants } from "./palette-tenants";
import { PaletteUsers } from "./palette-users";
import { usePortal } from "./portal";
import { useSite, withSite } from "./site";

const groupLook =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-muted";

/** Every word typed must occur; what people are found by is decided by the service. */
function matchOf(value: string, search: string, keywords: string[] = []): number {
  const text = `${value} ${keywords.join(" ")}`.toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word)) ? 1 : 0;
}

/** Finds pages, actions and people by a few letters. */
export function Palette() {
  const { view } = usePortal();
  const router = useRouter();
  const site = useSite();
  const focus = useFocusReturn();
  const [search, setSearch] = useState("");
  const close = () => openOverlay(undefined);
  const go = (href: string) => {
    close();
    router.push(href);
  };
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="enter-fade fixed inset-0 z-40 bg-(--scrim)" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          className="enter-rise fixed inset-x-3 top-[max(12px,12vh)] z-50 mx-auto max-w-xl overflow-hidden rounded-dialog bg-bg shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">Search or run a command</Dialog.Title>
          <Command loop label="Search or run a command" filter={matchOf}>
            <Command.Input
              value={search}
              onValueChange={setSearch}
              placeholder="Search pages, actions and people"
              className="h-12 w-full border-b border-border bg-transparent px-4 text-control outline-none placeholder:text-faint"
            />
            <Command.List className={`max-h-[min(24rem,60vh)] overflow-y-auto p-1.5 ${groupLook}`}>
              <PaletteActions close={close} open={go} go={(href) => go(withSite(href, site))} />
              <PaletteTenants />
              <PaletteRequest search={search} go={go} />
              {view.permissions.includes("user.read") ? (
                <PaletteUsers search={search} site={site} go={go} />
              ) : (
                <PaletteNothing search={search} />
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
