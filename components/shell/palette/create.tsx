"use client";

import { Command } from "cmdk";
import { ArrowRight, Plus } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import type { PortalView } from "@/components/shell/portal-view";
import { withSite } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Kbd } from "@/components/ui/kbd";
import { byLetter, foundAlready, PaletteItem } from "./item";

const icon = "size-4 text-muted";

interface Letter {
  letter: string;
  label: string;
  href: string;
}

/** The things that the user may create, each with its capital letter. */
function creationsOf({ navigation }: PortalView, site: string | undefined): Letter[] {
  return navigation.flatMap(({ letter, create, href }) => {
    const page = withSite(href, site);
    return create
      ? [
          {
            letter: letter.toUpperCase(),
            label: create,
            href: `${page}${page.includes("?") ? "&" : "?"}do=create`,
          },
        ]
      : [];
  });
}

/** The address of the form that creates a key for the user. */
export const generateKeyAddress = ({ tenant }: PortalView) => `/t/${tenant}/me?generate=1#api-keys`;

interface PaletteCreateProps {
  site: string | undefined;
  open: (href: string) => void;
}

/** Items that open a page with its create dialog. */
export function PaletteCreate({ site, open }: PaletteCreateProps) {
  const { view } = usePortal();
  const found = creationsOf(view, site);
  if (found.length === 0) return null;
  return (
    <Command.Group heading={t("Create")}>
      {found.map(({ letter, label, href }) => (
        <PaletteItem
          key={letter}
          value={`create-${letter}`}
          keywords={[label, byLetter(letter)]}
          icon={<Plus aria-hidden="true" className={icon} />}
          note={<Kbd>{letter}</Kbd>}
          onSelect={() => open(href)}
        >
          {label}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}

/** The items of a single letter: a page by the letter of its shortcut, its create dialog by the capital. */
export function PaletteLetter({ search, site, open }: PaletteCreateProps & { search: string }) {
  const { view } = usePortal();
  const pages = view.navigation.map(({ letter, label, href }) => ({
    letter,
    label,
    href: withSite(href, site),
  }));
  const generate = { letter: "K", label: t("Generate API key"), href: generateKeyAddress(view) };
  const found = [generate, ...creationsOf(view, site), ...pages].find(
    ({ letter }) => letter === search.trim(),
  );
  if (!found) return null;
  return (
    <Command.Group heading={t("Shortcut")}>
      <PaletteItem
        value={`letter-${found.letter}`}
        keywords={[foundAlready]}
        icon={<ArrowRight aria-hidden="true" className={`${icon} rtl:-scale-x-100`} />}
        note={<Kbd>{found.letter}</Kbd>}
        onSelect={() => open(found.href)}
      >
        {found.label}
      </PaletteItem>
    </Command.Group>
  );
}
