import type { ReactNode } from "react";
import { CallFailed } from "./error-notice";
import { useLastData } from "./last-data";
import { needsNotice, type Refetched, RefetchNotice } from "./notice";
import { PanelBoundary } from "./panel-boundary";
import { Skeleton } from "./skeleton";

interface LoadedProps<Data> {
  /** The query; its last data stays on screen when a refetch fails. */
  found: Refetched & { data: Data | undefined };
  /** The error title, such as "The sites could not be read". */
  failed: string;
  /** Height and margin of the expected content. */
  skeleton: string;
  /** The remedy after a failure; by default a retry. */
  action?: ReactNode;
  /** Adds space around an error in a card without padding. */
  flush?: boolean;
  children: (data: Data) => ReactNode;
}

/** Renders a query: skeleton, error, or data. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { found, failed, skeleton, action, flush = false, children } = props;
  const data = useLastData(found);
  return (
    <>
      {needsNotice(found) ? (
        <div className={flush ? "p-3" : undefined}>
          {found.error && action ? (
            <CallFailed title={failed} error={found.error} action={action} />
          ) : (
            <RefetchNotice found={found} failed={failed} />
          )}
        </div>
      ) : null}
      {data === undefined && !found.error ? <Skeleton className={skeleton} /> : null}
      {data === undefined ? null : <PanelBoundary>{children(data)}</PanelBoundary>}
    </>
  );
}
