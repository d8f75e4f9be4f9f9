"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { withParts } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import type { Notice } from "@/lib/features/notices/contract";
import { noticeWords } from "./notice-words";
import type { NoticeLine } from "./own-key-lines";

const dots = { danger: "bg-danger", warning: "bg-warning", neutral: "bg-border-strong" };

interface NoticeListProps {
  lines: NoticeLine[];
  onDismiss: (notices: Notice[]) => void;
  /** Shows each notice of a line with its time. */
  isWhole?: boolean;
}

/** Notices, a line for each kind. */
export function NoticeList({ lines, onDismiss, isWhole = false }: NoticeListProps) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line.kind} className="border-b border-border last:border-b-0">
          <Row tone={line.tone} end={<LineEnd line={line} onDismiss={onDismiss} />}>
            <NoticeText text={line.text} first={line.first} />
          </Row>
          {isWhole && line.count > 1 && line.notices.length > 0 ? (
            <details className="px-4 pb-2.5">
              <summary className="rounded-control text-muted">
                {t("Show all {count}", { count: line.count })}
              </summary>
              <ul className="mt-1">
                {line.notices.map((notice) => (
                  <li key={notice.id} className="py-1 text-muted">
                    <NoticeText text={noticeWords([notice])} first={notice.occurredAt} />
                  </li>
                ))}
              </ul>
            </details>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  tone: NoticeLine["tone"];
  end: ReactNode;
  children: ReactNode;
}

function Row({ tone, end, children }: RowProps) {
  return (
    <div className="flex items-start gap-x-3 px-4 py-2 text-body">
      <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full ${dots[tone]}`} />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-4">
        <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{children}</span>
        {end}
      </div>
    </div>
  );
}

/** A sentence with the instant that it names. */
export function NoticeText({ text, first }: Pick<NoticeLine, "text" | "first">) {
  return withParts(text, { when: first === undefined ? "" : <Instant at={first} /> });
}

function LineEnd({ line, onDismiss }: Pick<NoticeListProps, "onDismiss"> & { line: NoticeLine }) {
  const { action, notices, text } = line;
  if (action)
    return (
      <Link
        href={action.href}
        className="rounded-[3px] font-medium text-accent underline-offset-4 hover:underline"
      >
        {action.label}
      </Link>
    );
  const what = text.replaceAll(/, [^,]*\{when\}/g, "");
  return (
    <Button
      tone="quiet"
      size="icon"
      className="-my-1.5"
      aria-label={t("Dismiss: {textOf}", { textOf: what })}
      icon={<X aria-hidden="true" className="size-4" />}
      onClick={() => onDismiss(notices)}
    />
  );
}
