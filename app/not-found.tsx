import type { Metadata } from "next";
import Link from "next/link";
import { PublicFrame } from "@/components/shell/public-frame";
import { buttonLook } from "@/components/ui/button";

export const metadata: Metadata = { title: "Nothing here" };

export default function NotFoundPage() {
  return (
    <PublicFrame>
      <h1 className="text-title">Page not found</h1>
      <p className="mt-1 mb-6 text-control text-muted">
        It may have moved, or the link was cut short.
      </p>
      <Link href="/" className={buttonLook("secondary")}>
        Go to home
      </Link>
    </PublicFrame>
  );
}
