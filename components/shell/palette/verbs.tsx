"use client";

import { Command } from "cmdk";
import { KeyRound, Lock, ShieldCheck } from "lucide-react";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import type { Permission } from "@/lib/protocol/permissions";
import { PaletteItem } from "./item";
import { searchOf } from "./search";

interface Verb {
  verb: string;
  label: Message;
  Icon: typeof Lock;
  /** The required permission; none for the user's own keys. */
  permission?: Permission;
}

const verbs: Verb[] = [
  { verb: "lock", label: msg("Lock a user…"), Icon: Lock, permission: "user.manage" },
  { verb: "unlock", label: msg("Unlock a user…"), Icon: Lock, permission: "user.manage" },
  { verb: "roles", label: msg("Roles of a user…"), Icon: ShieldCheck, permission: "user.manage" },
  { verb: "rotate", label: msg("Rotate a key…"), Icon: KeyRound },
  { verb: "suspend", label: msg("Suspend a key…"), Icon: KeyRound },
  { verb: "rename", label: msg("Rename a key…"), Icon: KeyRound },
];

interface PaletteVerbsProps {
  search: string;
  /** Sets the search text, to which the user adds the object of the verb. */
  onSearch: (search: string) => void;
}

/** The verbs without an object yet, shown once something is typed. */
export function PaletteVerbs({ search, onSearch }: PaletteVerbsProps) {
  const { view } = usePortal();
  if (search.trim() === "" || search.includes(" ")) return null;
  const offered = verbs.filter(
    ({ permission }) => permission === undefined || view.permissions.includes(permission),
  );
  return (
    <Command.Group heading={t("Do")}>
      {offered.map(({ verb, label, Icon }) => (
        <PaletteItem
          key={verb}
          value={`verb-${verb}`}
          keywords={[t(label), verb]}
          icon={<Icon aria-hidden="true" className="size-4 text-muted" />}
          onSelect={() => onSearch(searchOf(verb))}
        >
          {t(label)}
        </PaletteItem>
      ))}
    </Command.Group>
  );
}
