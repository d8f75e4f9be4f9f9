/** A short piece of a series' line, in its colour and dash. */
export function ChartSwatch({ color, dash }: { color: string; dash: string }) {
  return (
    <svg aria-hidden="true" width="18" height="8" className="shrink-0">
      <line x1="0" y1="4" x2="18" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
    </svg>
  );
}
