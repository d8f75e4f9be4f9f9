import { CallError } from "@/lib/catalogue/client";
import { ErrorNotice } from "./error-notice";

/** What a failed call says, with the id of its request. */
export function CallFailed({ title, error }: { title: string; error: Error }) {
  return (
    <ErrorNotice
      title={title}
      detail={error.message}
      requestId={error instanceof CallError ? error.requestId : undefined}
    />
  );
}
