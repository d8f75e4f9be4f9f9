import { t } from "@/components/texts/t";
import { isUnreachable } from "./last-data";

/** What a query reports about reading again. */
export interface Refetched {
  error: Error | null;
  /** Why the last attempt failed, while further attempts follow. */
  failureReason?: Error | null;
  refetch?: () => unknown;
}

/** Whether a read is repeated until it reaches the service. */
export const isWaiting = ({ error, failureReason }: Refetched) =>
  error === null && isUnreachable(failureReason);

/** Says above a view that it waits for the connection and keeps what it has. */
export function WaitingNotice() {
  return (
    <p role="status" className="rounded-control bg-warning-bg px-3 py-2 text-body">
      {t("Not updated: the service cannot be reached. This view updates as soon as it can.")}
    </p>
  );
}
