import type { ComponentProps } from "react";
import { classNames } from "@/components/ui/class-names";

export const controlLook = classNames(
  "h-8 w-full rounded-control border border-border-strong bg-bg px-2.5 text-control text-text",
  "placeholder:text-faint hover:border-muted focus-visible:outline-offset-0",
  "aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-subtle disabled:text-muted",
  "transition-colors duration-[120ms]",
);

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={classNames(controlLook, className)} {...rest} />;
}
