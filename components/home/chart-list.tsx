"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { CallFailed, errorText } from "@/components/ui/error-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import { viewKeys } from "@/components/views/query-keys";
import type { SavedView } from "@/lib/features/views/contract";
import { chartPage } from "@/lib/features/views/values";
import { SavedChart } from "./saved-chart";

/** Removes a chart from the page or restores it, and shows the result. */
function useOnHome(onRemoved: () => void) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  return async function set({ id, name }: SavedView, home: boolean): Promise<void> {
    try {
      const now = await call("PATCH /v1/views/{id}", { params: { id }, body: { home } });
      queries.setQueryData<SavedView[]>(viewKeys.list(view.tenant, chartPage), (all) =>
        all?.map((one) => (one.id === id ? now : one)),
      );
      if (home) return;
      onRemoved();
      const undo = { label: t("Undo"), onClick: () => void set(now, true) };
      void notify(
        t('"{name}" removed from Home. It is still a view of the metrics page.', { name }),
        undo,
      );
    } catch (error) {
      void notify(t('"{name}" was not changed. {reason}', { name, reason: errorText(error) }));
    }
  };
}

interface ChartListProps {
  /** Called before a chart is removed, with the focused button. */
  onRemoved: () => void;
}

/** The saved views of the metrics page that are on Home, the user's own first. */
export function ChartList({ onRemoved }: ChartListProps) {
  const { view, call } = usePortal();
  const set = useOnHome(onRemoved);
  const found = useQuery({
    queryKey: viewKeys.list(view.tenant, chartPage),
    queryFn: ({ signal }) => call("GET /v1/views", { query: { page: chartPage }, signal }),
  });
  if (!found.data)
    return found.error ? (
      <CallFailed title={t("The saved charts could not be loaded")} error={found.error} />
    ) : (
      <Skeleton className="h-40" />
    );
  const shown = found.data.filter(({ home }) => home);
  if (shown.length === 0)
    return (
      <p className="text-muted">
        {t(
          'None yet. Choose a range, grouping and filters on the metrics page, then "Save as view" in its menu "Views".',
        )}
      </p>
    );
  const charts = [...shown.filter((one) => !one.shared), ...shown.filter((one) => one.shared)];
  return (
    <ul className="grid gap-x-6 gap-y-5 *:min-w-0 sm:grid-cols-2 xl:grid-cols-3">
      {charts.map((one) => (
        <li key={one.id}>
          <SavedChart view={one} onRemove={() => void set(one, false)} />
        </li>
      ))}
    </ul>
  );
}
