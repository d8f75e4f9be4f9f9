/** The mark: a gate. */
export function Brand({ className = "size-6" }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} role="img" aria-label="Gatehouse">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 24V14a7 7 0 0 1 14 0v10M16 24v-9"
        fill="none"
        className="stroke-accent-on"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
}
