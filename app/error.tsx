"use client";

import { PublicFrame } from "@/components/shell/public-frame";
import { Button } from "@/components/ui/button";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <PublicFrame>
      <h1 className="text-title">This page could not be shown</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        Something failed on our side; nothing was changed. Try again in a few seconds.
        {error.digest ? ` Tell support the number ${error.digest} if it goes on.` : ""}
      </p>
      <Button onClick={reset}>Try again</Button>
    </PublicFrame>
  );
}
