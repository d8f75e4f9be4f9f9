import type { ReactNode } from "react";
import { classNames } from "./class-names";

const tones = {
  neutral: "bg-subtle",
  accent: "bg-accent-bg",
  warning: "bg-warning-bg",
  success: "bg-success-bg",
  danger: "border-s-2 border-danger bg-danger-bg",
};

/** A remark that is not an error. */
export function Notice({
  tone = "neutral",
  children,
}: {
  tone?: keyof typeof tones;
  children: ReactNode;
}) {
  return (
    <div
      className={classNames(
        "rounded-control px-3 py-2.5 text-body text-text wrap-anywhere",
        tones[tone],
      )}
    >
      {children}
    </div>
  );
}
