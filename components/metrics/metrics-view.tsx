"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import {
  memo,
  Suspense,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from "react";
import type { ReadersZone } from "@/components/shell/cookies";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { dayAndTime, zoneName } from "@/components/ui/instant-words";
import { useLastData } from "@/components/ui/last-data";
import { lazyPart } from "@/components/ui/lazy-part";
import { RefetchNotice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { isForPage } from "@/components/ui/typed-ahead";
import { ViewsMenu } from "@/components/views/views-menu";
import { Charts } from "./charts";
import { firstCounted, type MetricsData } from "./load";
import { useMayMark, useMetricsQuery } from "./metrics-query";
import { metricsParsers } from "./parsers";
import { SampleOffer, SampleStrip } from "./sample-parts";
import { chartSeries } from "./series";
import { inZoneOf, type MetricsState } from "./state";
import { askedWords, summarise } from "./summary";
import { Toolbar } from "./toolbar";
import { useZooming, wholeOf, type Zooming } from "./zooming";

const MarkerDialog = lazyPart(
  () => import("./marker-dialog").then((module) => module.MarkerDialog),
  { isRare: true },
);

/** Opens the form of a marker, for users who may mark the charts of the whole tenant. */
function AddMarker() {
  const mayMark = useMayMark();
  const [isOpen, setIsOpen] = useState(false);
  if (!mayMark) return null;
  return (
    <>
      <Button
        onPointerEnter={MarkerDialog.preload}
        onFocus={MarkerDialog.preload}
        onClick={() => setIsOpen(true)}
      >
        {t("Add marker")}
      </Button>
      <Suspense>{isOpen ? <MarkerDialog onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
}

type Change = (change: Partial<MetricsState>) => void;

/** The T key switches between charts and tables. */
function useViewKey(onView: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "t" && isForPage(event)) onView();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onView]);
}

interface NotesProps {
  state: MetricsState;
  data: MetricsData;
  isZoneKnown: boolean;
}

/** The time of the numbers, and notes about them. Static, so that nothing changes while it is read. */
function Notes({ state, data: { asOf, metadata }, isZoneKnown }: NotesProps) {
  const { zone } = state;
  const at = new Date(asOf);
  const when = (
    <time dateTime={at.toISOString()} className="figures">
      {`${dayAndTime(at, zone)} ${zoneName(zone)}`}
    </time>
  );
  const notes = [
    isZoneKnown || zone !== "UTC"
      ? ""
      : t("The time zone of your browser is not known: times are in UTC."),
    metadata.isSynthetic && !state.sample
      ? t("The calls of this tenant are generated, to have something to look at.")
      : "",
  ];
  return (
    <p className="mt-4 text-meta text-muted">
      {rich("As of {when}", { when })}
      {notes.filter(Boolean).map((note) => `. ${note}`)}
    </p>
  );
}

interface MetricsViewProps {
  /** The zone known to the server, which rendered the page with it. */
  readersZone: ReadersZone;
}

interface FoundProps {
  isZoneKnown: boolean;
  state: MetricsState;
  data: MetricsData;
  change: Change;
  zooming: Zooming;
}

/** Rendered again only for another state or other data. */
const Found = memo(({ state, data, isZoneKnown, change, zooming }: FoundProps) => {
  const { view } = usePortal();
  const series = chartSeries(
    data.counts,
    { ...data.metadata, siteNames: view.siteNames },
    firstCounted(data),
  );
  const isEmpty = data.metadata.endpoints.length === 0;
  const sample = data.metadata.sampleTraffic;
  return (
    <>
      {state.sample ? <SampleStrip {...{ state, sample, change }} /> : null}
      <p role="status" className="mb-3 text-lead">
        <span className="hidden print:inline">{askedWords(state, data.range)} </span>
        {summarise(data, state.zone)}
      </p>
      {isEmpty ? (
        <EmptyState
          title={t("No calls yet")}
          purpose={t("Calls of this tenant's APIs appear here within seconds.")}
          action={<SampleOffer {...{ state, sample, change }} />}
        >
          <CodeBlock label={t("A first call")} code={curlByKey(view, "/v1/user/session")} />
        </EmptyState>
      ) : (
        <Charts
          state={state}
          data={data}
          series={series}
          onOff={(off) => change({ off })}
          zooming={zooming}
        />
      )}
      <Notes state={state} data={data} isZoneKnown={isZoneKnown} />
    </>
  );
});

/** The state of the numbers on screen, which picker, axes and texts describe until those of another state have loaded. */
function useShownState(state: MetricsState, data: MetricsData | undefined): MetricsState {
  const { zone, isSample: sample = state.sample } = data ?? {};
  return useMemo(() => ({ ...state, sample, zone: zone ?? state.zone }), [state, sample, zone]);
}

interface ActionsProps {
  state: MetricsState;
  data: MetricsData | undefined;
  change: Change;
}

function Actions({ state, data, change }: ActionsProps) {
  const sample = data?.metadata.sampleTraffic;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ViewsMenu page="metrics" />
      {sample && !state.sample && data.metadata.endpoints.length > 0 ? (
        <SampleOffer {...{ state, sample, change }} />
      ) : null}
      {state.sample ? null : <AddMarker />}
    </div>
  );
}

function MetricsOfTheTenant({ readersZone }: MetricsViewProps) {
  const [asked, setState] = useQueryStates(metricsParsers, { history: "replace", shallow: true });
  const state = useMemo(() => inZoneOf(readersZone, asked), [readersZone, asked]);
  const found = useQuery(useMetricsQuery(state));
  const change: Change = useCallback(
    (given) => startTransition(() => void setState(given as Parameters<typeof setState>[0])),
    [setState],
  );
  const range: Change = (given) =>
    void setState({ ...given, within: "" } as Parameters<typeof setState>[0], { history: "push" });
  const zooming = useZooming(wholeOf(state) !== undefined, setState);
  useViewKey(() => change({ view: state.view === "table" ? "chart" : "table" }));
  const { error } = found;
  const data = useLastData(found);
  const inZone = useShownState(state, data);
  // Charts and tables render slowly: the pressed control updates first.
  const [shownState, shownData] = [useDeferredValue(inZone), useDeferredValue(data)];
  return (
    <>
      <PageHeader
        wide
        title={t("Metrics")}
        lead={
          <span className="max-sm:hidden">
            {t("Calls of this tenant's APIs, their errors and latency.")}
          </span>
        }
        actions={<Actions state={inZone} data={data} change={change} />}
      />
      {data ? (
        <Toolbar state={inZone} {...{ data, readersZone }} onChange={change} onRange={range} />
      ) : null}
      <RefetchNotice found={found} failed={t("The metrics could not be loaded")} />
      {data && shownData ? (
        <Found
          {...{ change, zooming, state: shownState, data: shownData }}
          isZoneKnown={readersZone.isKnown}
        />
      ) : null}
      {data || error ? null : <Skeleton className="h-[560px]" />}
    </>
  );
}

/** The metrics page: all of its state is in the address. */
export function MetricsView(props: MetricsViewProps) {
  return (
    <NuqsAdapter>
      <MetricsOfTheTenant {...props} />
    </NuqsAdapter>
  );
}
