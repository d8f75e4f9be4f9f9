"use client";

import { useState } from "react";
import { useAddress } from "@/components/shell/address";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { SearchBar } from "@/components/ui/form/search-input";
import { Few } from "@/components/ui/table/few";
import { type StatusChip, StatusChips } from "@/components/ui/table/status-chips";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { hasEnded, type KeyGroup, keyGroups } from "./hygiene";
import { KeysTable } from "./keys-table";
import type { CallableOperation } from "./what-it-can-call";

const groups = [
  { value: "expiring", label: msg("Expiring"), tone: "warning" },
  { value: "active", label: msg("Active"), tone: "success" },
  { value: "unused", label: msg("Unused"), tone: "warning" },
  { value: "ended", label: msg("Ended"), tone: "neutral" },
] as const satisfies StatusChip<KeyGroup>[];

/** A shorter list has no search and no groups. */
const maxPlain = 8;
/** More of them are shown after a click. */
const maxShown = 8;

const isGroup = (text: string): text is KeyGroup => Object.hasOwn(keyGroups, text);

/** The keys of a group, or the active and suspended ones; expiring keys are sorted by expiry, soonest first. */
function keysOf(keys: ApiKey[], group: KeyGroup | "", search: string): ApiKey[] {
  const wanted = search.trim().toLocaleLowerCase();
  const found = keys.filter(
    (key) =>
      (group ? keyGroups[group](key) : !hasEnded(key)) &&
      key.name.toLocaleLowerCase().includes(wanted),
  );
  return group === "expiring"
    ? found.toSorted((a, b) => a.validTo.localeCompare(b.validTo))
    : found;
}

interface OwnKeysProps {
  keys: ApiKey[];
  callable: CallableOperation[];
}

/** The user's own keys: initially those in use; buttons show those that expire, are unused or have ended. */
export function OwnKeys({ keys, callable }: OwnKeysProps) {
  const [{ show }, setAddress] = useAddress(["show"]);
  const [search, setSearch] = useState("");
  const group = isGroup(show) ? show : "";
  const found = keysOf(keys, group, search);
  const chips = groups
    .map((chip) => ({ ...chip, count: keys.filter((key) => keyGroups[chip.value](key)).length }))
    .filter(({ count, value }) => count > 0 || value === group);
  return (
    <>
      {chips.length > 0 ? (
        <StatusChips
          label={t("Status")}
          chips={chips}
          value={group}
          onChange={(next) => setAddress({ show: next })}
        />
      ) : null}
      {keys.length > maxPlain ? (
        <SearchBar
          label={t("Search your keys")}
          placeholder={t("Search by name")}
          value={search}
          onChange={setSearch}
        />
      ) : null}
      {found.length > 0 ? (
        <Few items={found} first={maxShown}>
          {(shown) => <KeysTable keys={shown} callable={callable} />}
        </Few>
      ) : (
        <NoKeys keys={keys} isFiltered={group !== "" || search !== ""} />
      )}
    </>
  );
}

function NoKeys({ keys, isFiltered }: { keys: ApiKey[]; isFiltered: boolean }) {
  const { view } = usePortal();
  if (isFiltered)
    return (
      <EmptyState
        title={t("No keys match")}
        purpose={t("None of your keys matches this filter.")}
      />
    );
  return (
    <EmptyState
      title={keys.length > 0 ? t("No active API keys") : t("No API keys yet")}
      purpose={t(
        "A key lets a program call the service in your name, with your roles, until a day you choose.",
      )}
    >
      <CodeBlock
        label={t("the call that lists your users")}
        code={curlByKey(view, "/v1/user/list")}
      />
    </EmptyState>
  );
}
