import type { Metadata } from "next";
import { PublicFrame } from "@/components/shell/public-frame";
import { buttonLook } from "@/components/ui/button";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFoundPage() {
  return (
    <PublicFrame>
      <h1 className="text-title">Page not found</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        The page may have moved, or the link is incomplete.
      </p>
      <a href="/" className={buttonLook("secondary")}>
        Go to home
      </a>
    </PublicFrame>
  );
}
