/** The sign of what happened at a time, above its place on a chart and next to its name. */
export function MarkerSign({ className = "" }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 6" className={`h-1.5 w-2 shrink-0 ${className}`}>
      <path d="M0 0h8L4 6z" fill="var(--accent)" />
    </svg>
  );
}
