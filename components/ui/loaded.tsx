import type { ReactNode } from "react";
import { CallFailed } from "./call-failed";
import { Skeleton } from "./skeleton";

interface LoadedProps<Data> {
  /** The query; its last data stays on screen when reading it again fails. */
  found: { data: Data | undefined; error: Error | null };
  /** What failed, such as "The sites could not be read". */
  failed: string;
  /** Height and margin of what is about to appear. */
  skeleton: string;
  /** What helps after a failure. */
  action?: ReactNode;
  /** Keeps a failure off the edges of a card without padding. */
  flush?: boolean;
  children: (data: Data) => ReactNode;
}

/** What a query found; before that its outline, and what failed. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { found, failed, skeleton, action, flush = false, children } = props;
  const { data, error } = found;
  return (
    <>
      {error ? (
        <div className={flush ? "p-4" : undefined}>
          <CallFailed title={failed} error={error} action={action} />
        </div>
      ) : null}
      {data === undefined && !error ? <Skeleton className={skeleton} /> : null}
      {data === undefined ? null : children(data)}
    </>
  );
}
