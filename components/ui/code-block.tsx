import { CopyButton } from "./copy-button";

/** Code to take along. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative rounded-control border border-border bg-surface">
      <pre className="whitespace-pre-wrap wrap-anywhere p-3 pr-12 text-meta leading-5">
        <code>{code}</code>
      </pre>
      <span className="absolute right-1 top-1 rounded-control bg-surface">
        <CopyButton text={code} label={`Copy ${label}`} />
      </span>
    </div>
  );
}
