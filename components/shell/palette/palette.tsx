"use client";

import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { memo, useCallback, useDeferredValue, useState } from "react";
import { openOverlay } from "@/components/shell/overlay";
import { usePortal } from "@/components/shell/portal";
import { useSite, withSite } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { useFocusReturn } from "@/components/ui/focus-return";
import { PaletteActions } from "./actions";
import { PaletteCreate, PaletteLetter } from "./create";
import { PaletteCustomer } from "./customer";
import { PaletteDocs } from "./docs";
import { PaletteNothing } from "./item";
import { PaletteKeys } from "./keys";
import { matchOf } from "./match";
import { PaletteRecent } from "./recent";
import { keepRecent } from "./recent-places";
import { PaletteRequest } from "./request";
import { SelectFirst, usePaletteSelection } from "./selection";
import { PaletteSites } from "./sites";
import { PaletteTenants } from "./tenants";
import { PaletteUsers } from "./users";

const groupLook =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-muted";

const close = () => openOverlay(undefined);

/** Finds pages, actions, people, keys, sites and documentation by a few letters, and explains what is pasted. */
export function Palette() {
  const { view } = usePortal();
  const router = useRouter();
  const site = useSite();
  const focus = useFocusReturn();
  const [search, setSearch] = useState("");
  // The field is there to type into before what there is to find.
  const isDrawn = useDeferredValue(true, false);
  const { selection, command, typed } = usePaletteSelection(isDrawn);
  const go = useCallback(
    (href: string, label?: string) => {
      if (label) keepRecent(view.tenant, view.user.id, { href, label });
      close();
      router.push(href);
    },
    [router, view],
  );
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="enter-fade fixed inset-0 z-40 bg-(--scrim)" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          className="enter-rise fixed inset-x-3 top-[max(12px,12vh)] z-50 mx-auto max-w-xl overflow-hidden rounded-dialog bg-bg shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">{t("Search or run a command")}</Dialog.Title>
          <Command loop label={t("Search or run a command")} filter={matchOf} {...command}>
            <SelectFirst {...selection} />
            <Command.Input
              value={search}
              onValueChange={(next) => {
                typed();
                setSearch(next);
              }}
              placeholder={t("Search pages, actions and people")}
              className="h-12 w-full border-b border-border bg-transparent px-4 text-control outline-none placeholder:text-faint"
            />
            <Command.List className={`max-h-[min(24rem,60vh)] overflow-y-auto p-1.5 ${groupLook}`}>
              {isDrawn ? <Found {...{ search, site, go }} /> : null}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface FoundProps {
  search: string;
  site: string | undefined;
  go: (href: string, label?: string) => void;
}

/** The same whatever is typed: the palette hides what does not match. */
const Fixed = memo(({ site, go }: Omit<FoundProps, "search">) => (
  <>
    <PaletteActions close={close} open={go} go={(href) => go(withSite(href, site))} />
    <PaletteCreate site={site} open={go} />
    <PaletteTenants />
  </>
));

function Found({ search, site, go }: FoundProps) {
  const { view } = usePortal();
  return (
    <>
      <PaletteRecent search={search} open={go} />
      <PaletteLetter {...{ search, site }} open={go} />
      <Fixed {...{ site, go }} />
      <PaletteRequest search={search} go={go} />
      <PaletteCustomer {...{ search, site }} open={go} />
      <PaletteKeys search={search} open={go} />
      <PaletteSites {...{ search, site }} open={go} />
      {view.permissions.includes("user.read") ? (
        <PaletteUsers search={search} site={site} go={go} />
      ) : (
        <PaletteNothing search={search} />
      )}
      <PaletteDocs {...{ search, go }} />
    </>
  );
}
