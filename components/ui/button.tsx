import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";

/** Stays invisible for the first 300 ms: quick work shows no spinner. */
function Spinner() {
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

type Tone = "primary" | "secondary" | "quiet" | "danger" | "final";
type Size = "normal" | "small" | "icon";

const tones: Record<Tone, string> = {
  primary: "bg-accent text-accent-on hover:bg-accent-hover",
  secondary: "border border-border-strong bg-bg text-text hover:bg-subtle",
  quiet:
    "text-muted hover:bg-subtle hover:text-text aria-expanded:bg-subtle aria-expanded:text-text",
  danger: "border border-danger bg-bg text-danger hover:bg-danger-bg",
  final: "border border-danger bg-danger text-bg hover:border-text",
};

const sizes: Record<Size, string> = {
  normal: "h-8 px-3 text-control",
  small: "h-7 px-2 text-body",
  icon: "size-8 text-control",
};

/** The look of a button, for links. */
export function buttonLook(tone: Tone = "secondary", size: Size = "normal"): string {
  return classNames(
    "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-control font-medium",
    "transition-[background-color,color,border-color,opacity] duration-[120ms]",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-progress",
    tones[tone],
    sizes[size],
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  tone?: Tone;
  size?: Size;
  /** Keeps the button in place and focusable while its work runs; further clicks do nothing. */
  busy?: boolean;
  icon?: ReactNode;
}

export function Button({
  tone,
  size,
  busy = false,
  icon,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(buttonLook(tone, size), className)}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}
