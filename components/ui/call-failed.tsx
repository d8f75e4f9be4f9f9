import type { ReactNode } from "react";
import { translated } from "@/components/texts/t";
import { CallError } from "@/lib/catalogue/client";
import { ErrorNotice } from "./error-notice";

interface CallFailedProps {
  title: string;
  error: Error;
  action?: ReactNode;
}

/** What a failed call says, with the id of its request. */
export function CallFailed({ title, error, action }: CallFailedProps) {
  return (
    <ErrorNotice
      title={title}
      detail={translated(error.message)}
      requestId={error instanceof CallError ? error.requestId : undefined}
      action={action}
    />
  );
}
