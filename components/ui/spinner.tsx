/** Stays invisible for the first 300 ms: quick work shows no spinner. */
export function Spinner() {
  return (
    <span aria-hidden="true" className="enter-late">
      <svg viewBox="0 0 16 16" className="size-3.5 animate-spin" role="presentation">
        <circle
          cx="8"
          cy="8"
          r="6.5"
          fill="none"
          stroke="currentColor"
          strokeOpacity="0.25"
          strokeWidth="2"
        />
        <path
          d="M8 1.5A6.5 6.5 0 0 1 14.5 8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
        />
      </svg>
    </span>
  );
}
