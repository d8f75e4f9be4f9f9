import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  /** The text to copy. */
  code: string;
  label: string;
  /** The same code with colours. */
  children?: ReactNode;
}

/** Code to take along. */
export function CodeBlock({ code, label, children }: CodeBlockProps) {
  return (
    <div className="relative rounded-control border border-border bg-surface">
      <pre className="whitespace-pre-wrap wrap-anywhere p-3 pe-12 text-meta leading-5">
        <code>{children ?? code}</code>
      </pre>
      <span className="absolute end-1 top-1 rounded-control bg-surface">
        <CopyButton text={code} label={t("Copy {label}", { label })} />
      </span>
    </div>
  );
}
