import { type ReactNode, useId } from "react";

interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value, in words. */
  error?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A label, its control, and what belongs to it. The control receives the ids that tie them together. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-body font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {error ? (
        <p id={`${id}-error`} className="text-body text-danger">
          {error}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="text-meta text-muted">
          {hint}
        </div>
      ) : null}
    </div>
  );
}
