"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { useFocusReturn } from "@/components/ui/focus-return";
import { MainNavigation } from "./main-navigation";
import { navigationIcons } from "./navigation-icons";
import { openOverlay } from "./overlay";
import { usePortal } from "./portal";

/** The menu of screens too narrow for the sidebar. */
export function NavigationSheet() {
  const { view } = usePortal();
  const focus = useFocusReturn();
  const close = () => openOverlay(undefined);
  return (
    <Dialog.Root open onOpenChange={close}>
      <Dialog.Portal>
        <Dialog.Overlay className="enter-fade fixed inset-0 z-40 bg-(--scrim)" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          className="enter-fade fixed inset-y-0 start-0 z-50 flex w-64 max-w-[80vw] flex-col overflow-y-auto bg-bg p-3 shadow-float outline-none"
        >
          <div className="mb-3 flex items-center justify-between ps-2">
            <Dialog.Title className="text-control font-semibold">{t("Menu")}</Dialog.Title>
            <Dialog.Close asChild>
              <Button tone="quiet" size="icon" aria-label={t("Close menu")}>
                <X aria-hidden="true" className="size-4" />
              </Button>
            </Dialog.Close>
          </div>
          <MainNavigation entries={view.navigation} icons={navigationIcons} onOpen={close} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
