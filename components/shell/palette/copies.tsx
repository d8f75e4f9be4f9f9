"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Braces, Link } from "lucide-react";
import { curlOf, fetchOf } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { findViewCall } from "@/components/shell/view-call";
import { t } from "@/components/texts/t";
import { notify } from "@/components/ui/toast";
import { PaletteItem } from "./item";

const icon = "size-4 text-muted";

/** Copies the current view: as a link, and as the API call if it shows a response. */
export function PaletteCopies({ close }: { close: () => void }) {
  const { view } = usePortal();
  const viewCall = findViewCall(useQueryClient());
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text);
    close();
    await notify(t("{what} copied", { what }));
  };
  const calls = viewCall ? { curl: curlOf(viewCall, view), fetch: fetchOf(viewCall, view) } : {};
  return (
    <>
      <PaletteItem
        value="copy-link"
        icon={<Link aria-hidden="true" className={icon} />}
        onSelect={() => void copy(window.location.href, t("Link to this view"))}
      >
        {t("Copy link to this view")}
      </PaletteItem>
      {Object.entries(calls).map(([name, text]) => (
        <PaletteItem
          key={name}
          value={`copy-${name}`}
          keywords={[t("Copy this view as"), name]}
          icon={<Braces aria-hidden="true" className={icon} />}
          onSelect={() => void copy(text, t("This view as {name}", { name }))}
        >
          {t("Copy this view as {name}", { name })}
        </PaletteItem>
      ))}
    </>
  );
}
