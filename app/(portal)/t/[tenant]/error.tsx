"use client";

import { FailedPage } from "@/components/shell/failed-page";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function TenantErrorPage({ error, reset }: ErrorPageProps) {
  return <FailedPage digest={error.digest} onRetry={reset} />;
}
