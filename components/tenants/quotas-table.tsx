import { number, t, translated } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table/table";
import type { Quota } from "@/lib/features/quotas/contract";
import { quotas as known, nearShare } from "@/lib/features/quotas/values";

const mib = 1024 * 1024;

/** An amount of a quota with its unit, formatted for display. */
function amount(value: number, unit: Quota["unit"]): string {
  if (unit === "count") return number(value);
  return `${number(value / mib, { maximumFractionDigits: 1 })} MiB`;
}

/** The used share of the limit, from 0 to 1. */
export const shareOf = ({ used, limit }: Pick<Quota, "used" | "limit">): number =>
  limit === 0 ? 1 : Math.min(1, used / limit);

export const isNearEnd = (quota: Pick<Quota, "used" | "limit">): boolean =>
  shareOf(quota) >= nearShare;

interface QuotasTableProps {
  quotas: Quota[];
  /** The action at the end of each row. */
  action?: (quota: Quota) => React.ReactNode;
}

/** The use of each quota by a tenant. */
export function QuotasTable({ quotas, action }: QuotasTableProps) {
  return (
    <Table label={t("Limits and use")} className="[--row:36px]">
      <thead>
        <tr>
          <HeadCell>{t("Quota")}</HeadCell>
          <HeadCell>{t("Used")}</HeadCell>
          <HeadCell>{t("Limit")}</HeadCell>
          {action ? <HeadCell>{t("Change")}</HeadCell> : null}
        </tr>
      </thead>
      <tbody>
        {quotas.map((one) => (
          <Row key={one.quota}>
            <Cell wraps>{translated(known[one.quota].label)}</Cell>
            <Cell>
              <Use quota={one} />
            </Cell>
            <Cell className="text-muted">{amount(one.limit, one.unit)}</Cell>
            {action ? <Cell>{action(one)}</Cell> : null}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function Use({ quota }: { quota: Quota }) {
  const { label } = known[quota.quota];
  return (
    <span className="flex items-center gap-2 max-sm:flex-col max-sm:items-start max-sm:gap-1">
      <meter
        className="h-2 w-16 sm:w-24"
        aria-label={t("{label} used", { label })}
        min={0}
        max={1}
        value={shareOf(quota)}
      />
      {amount(quota.used, quota.unit)}
      <NearestEnd quotas={[quota]} />
    </span>
  );
}

/** Warns when one of these quotas is used up, or nearly. */
export function NearestEnd({ quotas }: { quotas: readonly Quota[] }) {
  if (!quotas.some(isNearEnd)) return null;
  const isUsedUp = quotas.some(({ used, limit }) => used >= limit);
  return <Badge tone="warning">{isUsedUp ? t("Used up") : t("Nearly used up")}</Badge>;
}
