"use client";

import { X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { type Message, msg, t } from "@/components/texts/t";
import { Button, buttonLook } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import { ScrollRegion } from "@/components/ui/scroll-region";

interface PeekPanelProps {
  /** The id of the row, which is highlighted while it is shown here. */
  row: string;
  title: string;
  status?: ReactNode;
  /** The row's own page; when it has none, onOpen shows all details. */
  href?: string | undefined;
  onOpen?: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** Highlights the row that the panel shows, regardless of the focus. */
function useMark(row: string): void {
  useEffect(() => {
    const marked = document.querySelector(`[data-row="${CSS.escape(row)}"]`)?.closest("tr");
    marked?.setAttribute("data-peeked", "");
    return () => marked?.removeAttribute("data-peeked");
  }, [row]);
}

const keys: [key: string, Message, string[]][] = [
  ["walk", msg("Next, previous"), ["j", "k"]],
  ["open", msg("Open"), ["Enter"]],
  ["close", msg("Close"), ["Esc"]],
];

/** The main facts of one row next to its list, which stays usable. */
export function PeekPanel(props: PeekPanelProps) {
  const { row, title, status, href, onOpen, onClose, children } = props;
  useMark(row);
  return (
    <section
      aria-label={t("Peek: {title}", { title })}
      className="enter-fade fixed top-12 end-0 bottom-0 z-20 flex w-104 max-w-[calc(100vw-3rem)] flex-col border-s border-border bg-bg shadow-float max-sm:hidden print:hidden"
    >
      <header className="flex items-start gap-3 border-b border-border px-4 py-3">
        <div className="min-w-0 flex-1">
          <h2 className="wrap-anywhere text-lead font-semibold">{title}</h2>
          {status ? <div className="mt-1">{status}</div> : null}
          <p role="status" className="sr-only">
            {t("Peeking at {title}", { title })}
          </p>
        </div>
        <Button tone="quiet" size="icon" aria-label={t("Close peek")} onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
        </Button>
      </header>
      <ScrollRegion
        aria-label={t("Facts")}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-4 [--fact-name:6.5rem] focus-visible:-outline-offset-2"
      >
        {children}
      </ScrollRegion>
      <footer className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-border px-4 py-3">
        <Opener href={href} onOpen={onOpen} />
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-muted">
          {keys.map(([key, words, names]) => (
            <span key={key} className="inline-flex items-center gap-1">
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
              {t(words)}
            </span>
          ))}
        </p>
      </footer>
    </section>
  );
}

function Opener({ href, onOpen }: Pick<PeekPanelProps, "href" | "onOpen">) {
  if (!href)
    return (
      <Button size="small" onClick={onOpen}>
        {t("Show all")}
      </Button>
    );
  return (
    <Link href={href} className={buttonLook("secondary", "small")}>
      {t("Open page")}
    </Link>
  );
}
