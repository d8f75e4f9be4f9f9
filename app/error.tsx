"use client";

import { FailedPage } from "@/components/shell/failed-page";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main>
      <FailedPage digest={error.digest} onRetry={reset} />
    </main>
  );
}
