import type { ComponentProps, ReactNode } from "react";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
}

export function Checkbox({ label, ...rest }: CheckboxProps) {
  return (
    <label className="inline-flex min-h-6 cursor-pointer items-center gap-2 text-control">
      <input type="checkbox" className="size-4 shrink-0 accent-accent" {...rest} />
      <span>{label}</span>
    </label>
  );
}
