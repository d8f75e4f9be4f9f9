import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import { Cell, Row } from "@/components/ui/table/table";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { KeyExpiry, KeyLastUse, KeyLimits, KeyState, KeyWeek } from "./key-facts";

/** The column headings of a table of keys. */
export function keyHeads(hasOwner = false): string[] {
  const facts = [t("Key"), t("Status"), t("Expires"), t("Last used"), t("7 days")];
  return [t("Name"), ...(hasOwner ? [t("Owner")] : []), ...facts];
}

interface KeyRowProps {
  apiKey: ApiKey;
  /** The cell with its checkbox, in tables with bulk actions. */
  select?: ReactNode;
  /** Its owner, in tables that show owners. */
  owner?: ReactNode;
  /** Warnings next to the state. */
  marks?: ReactNode;
  /** Calls of each of the last seven days. */
  week: number[] | undefined;
  /** Its actions. */
  actions: ReactNode;
}

/** A row of a table of keys, as seen by the owner or a manager. */
export function KeyRow({ apiKey, select, owner, marks, week, actions }: KeyRowProps) {
  return (
    <Row>
      {select}
      <Cell className="max-w-56 truncate font-medium" title={apiKey.name} card="both">
        <span>{apiKey.name}</span>
        <KeyLimits apiKey={apiKey} />
      </Cell>
      {owner === undefined ? null : <Cell>{owner}</Cell>}
      <Cell>
        <code className="text-meta text-muted">svk_…{apiKey.hint}</code>
      </Cell>
      <Cell card="end">
        <span className="flex items-center gap-1">
          <KeyState apiKey={apiKey} />
          {marks}
        </span>
      </Cell>
      <Cell className="text-muted" label={t("Expires")}>
        <KeyExpiry apiKey={apiKey} />
      </Cell>
      <Cell className="text-muted" label={t("Last used")}>
        <KeyLastUse apiKey={apiKey} />
      </Cell>
      <Cell label={t("7 days")}>
        <KeyWeek week={week} />
      </Cell>
      <Cell className="text-end" card="act">
        {actions}
      </Cell>
    </Row>
  );
}
