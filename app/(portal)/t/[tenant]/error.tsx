"use client";

import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/error-notice";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function TenantErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <ErrorNotice
      title="This page could not be shown"
      detail="Something failed on our side; nothing was changed. Try again in a few seconds."
      requestId={error.digest}
      action={<Button onClick={reset}>Try again</Button>}
    />
  );
}
