import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import { Cell, Row } from "@/components/ui/table/table";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { KeyExpiry, KeyLastUse, KeyLimits, KeyState, KeyWeek } from "./key-facts";

/** What the columns of a table of keys are called. */
export function keyHeads(hasOwner = false): string[] {
  const facts = [t("Key"), t("Status"), t("Expires"), t("Last used"), t("7 days")];
  return [t("Name"), ...(hasOwner ? [t("Owner")] : []), ...facts];
}

interface KeyRowProps {
  apiKey: ApiKey;
  /** The cell that selects it, where many can be changed at once. */
  select?: ReactNode;
  /** Who owns it, in a table that says so. */
  owner?: ReactNode;
  /** What should be looked at, next to the state. */
  marks?: ReactNode;
  /** Calls of each of the last seven days. */
  week: number[] | undefined;
  /** What can be done with it. */
  actions: ReactNode;
}

/** A key in a table: its owner's, or a manager's. */
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
