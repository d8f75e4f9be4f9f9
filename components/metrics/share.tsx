"use client";

import { Download, ImageDown, ListTree, Table2 } from "lucide-react";
import { requestsPath } from "@/components/request-log/requests-path";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button, buttonLook } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { csv, downloadText } from "@/components/ui/download-text";
import { Link } from "@/components/ui/link";
import { createPart } from "@/components/ui/part";
import { notify } from "@/components/ui/toast";
import { figuresOf } from "./figures";
import { countsQuery, type MetricsData } from "./load";
import type { ChartSeries } from "./series";
import type { MetricsState } from "./state";
import { summarise } from "./summary";

const saving = createPart(() => import("./save-image"));

interface ShareProps {
  state: MetricsState;
  data: MetricsData;
  series: ChartSeries[];
  onView: () => void;
}

/** The call of the chart as a curl command. */
export function curlOf(
  place: { origin: string; tenant: string },
  state: MetricsState,
  range: MetricsData["range"],
): string {
  const query = Object.entries(countsQuery(state, range)).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  return curlByKey(place, "/v1/api-metrics/metrics/timeserie-counts", { query });
}

function useDownloads({ state, data, series }: ShareProps) {
  const { view } = usePortal();
  // Exported data is labelled as sample traffic.
  const name = state.sample ? `${view.tenant}-sample` : view.tenant;
  const saveCsv = () => {
    const lines = data.counts.times.map((time, index) => [
      time,
      ...series.map(({ values }) => String(values[index] ?? "")),
    ]);
    downloadText(
      csv([["time", ...series.map(({ label }) => label)], ...lines]),
      `${name}-calls.csv`,
      "text/csv",
    );
  };
  const savePng = async () => {
    const { saveImage } = await saving.arrival();
    const heading = `${name}: ${summarise(data, state.zone)}`;
    await saveImage(heading, Object.values(figuresOf(state, data, series)), `${name}-metrics.png`);
  };
  return { saveCsv, savePng };
}

/** A link to the counted requests: of the range, and of the operation or key if there is one. */
function RequestsLink({ state, range }: { state: MetricsState; range: MetricsData["range"] }) {
  const { view } = usePortal();
  if (!view.permissions.includes("audit.read") || state.sample) return null;
  const single = ([value, ...others]: string[]) => (others.length === 0 ? value : undefined);
  const [operation, apiKey] = [single(state.endpoint), single(state.apiKey)];
  const filters = {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    ...(operation && { operation }),
    ...(apiKey && { apiKey }),
  };
  return (
    <Link href={requestsPath(view.tenant, filters)} className={buttonLook("quiet")}>
      <ListTree aria-hidden="true" className="size-4" />
      {t("Requests")}
    </Link>
  );
}

/** Exports the numbers: as a file, as a link, or as the API call. */
export function Share(props: ShareProps) {
  const { state, data, onView } = props;
  const { view } = usePortal();
  const { saveCsv, savePng } = useDownloads(props);
  return (
    <div className="-mx-2 grid grid-cols-2 justify-items-start gap-1 border-t border-border pt-2">
      <Button
        tone="quiet"
        aria-pressed={state.view === "table"}
        aria-keyshortcuts="t"
        onClick={onView}
        icon={<Table2 aria-hidden="true" className="size-4" />}
      >
        {state.view === "table" ? t("Charts") : t("Table")}
      </Button>
      <Button
        tone="quiet"
        onClick={saveCsv}
        icon={<Download aria-hidden="true" className="size-4" />}
      >
        {t("CSV")}
      </Button>
      {state.view === "table" ? null : (
        <Button
          tone="quiet"
          onClick={() =>
            savePng().catch(() =>
              notify(t("The charts could not be drawn. Save the numbers as CSV instead.")),
            )
          }
          icon={<ImageDown aria-hidden="true" className="size-4" />}
        >
          {t("PNG")}
        </Button>
      )}
      <RequestsLink state={state} range={data.range} />
      <CopyButton label={t("Copy link")} words={t("Link")} text={() => location.href} />
      <CopyButton
        label={t("Copy as curl")}
        words={t("curl")}
        text={() => curlOf(view, state, data.range)}
      />
    </div>
  );
}
