/** A short piece of a series' line, in its colour and dash. */
export function ChartSwatch({ color, dash }: { color: string; dash: string }) {
  return (
    <svg aria-hidden="true" width="18" height="8" className="shrink-0">
      <line x1="0" y1="4" x2="18" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
    </svg>
  );
}

/** The sign of a marker, above its position on a chart and next to its name. */
export function MarkerSign({ className = "" }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 6" className={`h-1.5 w-2 shrink-0 ${className}`}>
      <path d="M0 0h8L4 6z" fill="var(--accent)" />
    </svg>
  );
}
