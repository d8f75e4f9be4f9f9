import type { ReactNode } from "react";
import { LanguageSwitch } from "@/components/preferences/language";
import { t } from "@/components/texts/t";
import { Brand } from "./brand";

/** The frame of pages that need no session: one column. A plain link, because every page also loads the code of the 404 page. */
export function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-surface">
      <main className="flex flex-1 flex-col items-center px-4 pt-[max(32px,12vh)] pb-12">
        <div className="mb-6 flex items-center gap-2.5 text-lead font-semibold">
          <Brand className="size-7" />
          Gatehouse
        </div>
        <div className="w-full max-w-sm rounded-dialog border border-border bg-bg p-6">
          {children}
        </div>
        <p className="mt-6 flex gap-4 text-body text-muted">
          <a
            href="/docs"
            className="rounded-control py-0.5 underline decoration-border-strong underline-offset-4 hover:text-text"
          >
            {t("Read the API reference")}
          </a>
          <LanguageSwitch />
        </p>
      </main>
    </div>
  );
}
