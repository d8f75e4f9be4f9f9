import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "@/components/ui/class-names";
import { controlLook } from "./input";

/** The platform's own select: right on phones, for screen readers and in any number of options. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={classNames("relative inline-flex", className)}>
      <select className={classNames(controlLook, "appearance-none pe-8")} {...rest}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute end-2 top-2 size-4 text-muted"
      />
    </span>
  );
}
