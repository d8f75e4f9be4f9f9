import { t } from "@/components/texts/t";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table";
import type { ChartSeries } from "./series";

interface MetricsTableProps {
  label: string;
  /** Milliseconds since the epoch. */
  times: number[];
  series: ChartSeries[];
  moment: (at: number) => string;
  format: (value: number) => string;
  isOpenEnded: boolean;
  /** What stands where there is no value. */
  missing: string;
}

/** The same numbers as the chart, newest first. */
export function MetricsTable({
  label,
  times,
  series,
  moment,
  format,
  isOpenEnded,
  missing,
}: MetricsTableProps) {
  const words = (value: number | null | undefined) =>
    value === null || value === undefined ? missing : format(value);
  const rows = times.map((time, index) => ({ time, index })).reverse();
  return (
    <div className="max-h-[480px] overflow-y-auto">
      <Table label={label}>
        <thead>
          <tr>
            <HeadCell>{t("Time")}</HeadCell>
            {series.map((one) => (
              <HeadCell key={one.key} className="text-end">
                {one.label}
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, index }) => (
            <Row key={time}>
              <Cell>
                {moment(time)}
                {isOpenEnded && index === times.length - 1 ? t(" (in progress)") : ""}
              </Cell>
              {series.map((one) => (
                <Cell key={one.key} className="figures text-end">
                  {words(one.values[index])}
                </Cell>
              ))}
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
