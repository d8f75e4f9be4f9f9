import { classNames } from "./class-names";

/** A placeholder for loading content, in its final size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames("breathe block rounded-control bg-subtle", className)}
    />
  );
}
