"use client";

import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { KeyRound } from "lucide-react";
import { useOwnKeys } from "@/components/api-keys/own-keys";
import { usePortal } from "@/components/shell/portal";
import { type Message, msg, t } from "@/components/texts/t";
import { foundAlready, PaletteItem } from "./item";
import { commandOf } from "./search";

interface PaletteKeysProps {
  search: string;
  open: (href: string, label: string) => void;
}

const maxShown = 5;

/** The label of a verb's action on a key, as in the dialogs. */
const actions: Partial<Record<string, Message>> = {
  rotate: msg("Rotate {name}"),
  suspend: msg("Suspend {name}"),
  resume: msg("Resume {name}"),
  rename: msg("Rename {name}"),
};

/** The user's own keys by name: `rotate ci-eu` opens the dialog to rotate one. */
export function PaletteKeys({ search, open }: PaletteKeysProps) {
  const { view } = usePortal();
  const { verb, words } = commandOf(search);
  const act = verb === undefined ? undefined : actions[verb];
  const isAsked = words.length > 1 || act !== undefined;
  const { data = [] } = useQuery({ ...useOwnKeys(), enabled: isAsked });
  if (!isAsked) return null;
  const found = data.filter(
    ({ name, status }) =>
      name.toLowerCase().includes(words.toLowerCase()) &&
      (status === "active" || status === "suspended"),
  );
  if (found.length === 0) return null;
  const home = `/t/${view.tenant}/me`;
  return (
    <Command.Group heading={t("API keys")}>
      {found.slice(0, maxShown).flatMap(({ apiKeyId, name }, index) => {
        const acts =
          act && verb ? { [verb]: act } : index === 0 ? { rotate: msg("Rotate {name}") } : {};
        return [
          ...(act ? [] : [{ key: apiKeyId, label: name, href: `${home}#api-keys` }]),
          ...Object.entries(acts).map(([action, label]) => ({
            key: `${apiKeyId}-${action}`,
            label: t(label, { name }),
            href: `${home}?key=${apiKeyId}&do=${action}#api-keys`,
          })),
        ].map(({ key, label, href }) => (
          <PaletteItem
            key={key}
            value={`key-${key}`}
            keywords={[foundAlready]}
            icon={<KeyRound aria-hidden="true" className="size-4 text-muted" />}
            onSelect={() => open(href, label)}
          >
            {label}
          </PaletteItem>
        ));
      })}
    </Command.Group>
  );
}
