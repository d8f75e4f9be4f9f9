"use client";

import { Suspense } from "react";
import { t } from "@/components/texts/t";
import { lazyPart } from "@/components/ui/lazy-part";
import { SelectAll, SelectOne } from "@/components/ui/table/select-cells";
import { type Selection, useSelection } from "@/components/ui/table/selection";
import { Cell } from "@/components/ui/table/table";
import { isLive, type ListedKey } from "./bulk-keys";
import type { Whose } from "./suspend";

const BulkKeysBar = lazyPart(() => import("./bulk-keys-bar").then((module) => module.BulkKeysBar), {
  kind: "panel",
});

const idOf = ({ apiKeyId }: ListedKey) => apiKeyId;

/** The selection among the active and suspended keys on screen. */
export const useSelectedKeys = (shown: ListedKey[]): Selection<ListedKey> =>
  useSelection(shown.filter(isLive), idOf);

interface SelectedKeysProps {
  selection: Selection<ListedKey>;
  whose: Whose;
}

/** Above the table: the actions on the selected keys, as soon as there are any. */
export function SelectedKeys({ selection, whose }: SelectedKeysProps) {
  const keys = [...selection.chosen.values()];
  if (keys.length === 0) return null;
  return (
    <Suspense>
      <BulkKeysBar keys={keys} whose={whose} onClear={selection.clear} />
    </Suspense>
  );
}

interface SelectKeysProps {
  shown: ListedKey[];
  selection: Selection<ListedKey>;
}

export function SelectKeys({ shown, selection }: SelectKeysProps) {
  const live = shown.filter(isLive);
  return <SelectAll shown={live} selection={selection} label={t("Select all keys on this page")} />;
}

interface SelectKeyProps {
  apiKey: ListedKey;
  selection: Selection<ListedKey>;
}

/** An expired or revoked key cannot be selected: no action applies to it. */
export function SelectKey({ apiKey, selection }: SelectKeyProps) {
  if (!isLive(apiKey)) return <Cell className="w-8 max-sm:hidden" />;
  const label = t("Select key {name}", { name: apiKey.name });
  return <SelectOne item={apiKey} selection={selection} label={label} />;
}
