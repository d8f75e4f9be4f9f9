import { classNames } from "@/components/ui/class-names";

interface SegmentedProps<Value extends string> {
  legend: string;
  name: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One choice of a few, all visible: radio buttons that look like one control. */
export function Segmented<Value extends string>({
  legend,
  name,
  options,
  value,
  onChange,
}: SegmentedProps<Value>) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-body font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-1.5">
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              "inline-flex h-8 cursor-pointer select-none items-center rounded-control border px-3 text-control transition-colors duration-[120ms]",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              option.value === value
                ? "border-accent bg-accent-bg font-medium text-accent"
                : "border-border-strong text-text hover:bg-subtle",
            )}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
