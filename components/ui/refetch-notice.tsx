import { Button } from "./button";
import { CallFailed } from "./call-failed";
import { isUnreachable } from "./last-data";

/** What a query tells about reading again. */
export interface Refetched {
  error: Error | null;
  /** Why the last attempt failed, while further attempts follow. */
  failureReason?: Error | null;
  refetch?: () => unknown;
}

/** Says above a view that reading it again failed, or waits for the connection; the view keeps what it has. */
export function RefetchNotice({ found, failed }: { found: Refetched; failed: string }) {
  const { error, failureReason, refetch } = found;
  if (error) {
    return (
      <CallFailed
        title={failed}
        error={error}
        action={
          refetch ? (
            <Button size="small" onClick={() => void refetch()}>
              Try again
            </Button>
          ) : undefined
        }
      />
    );
  }
  if (!isUnreachable(failureReason)) return null;
  return (
    <p role="status" className="rounded-control bg-warning-bg px-3 py-2 text-body">
      Not updated: the service cannot be reached. This view updates as soon as it can.
    </p>
  );
}

/** Whether there is something to say. */
export const needsNotice = ({ error, failureReason }: Refetched) =>
  error !== null || isUnreachable(failureReason);
