/** How many lines with the same words and the same error are written in one span; the rest is counted. */
const maxInSpan = 10;
const spanMilliseconds = 10_000;
const maxKinds = 500;

interface Kind {
  lines: number;
  /** Writes how many were left out. */
  report: (leftOut: number) => void;
}

/** Kinds of lines of the current span. */
export class Repeats {
  private kinds = new Map<string, Kind>();
  private timer: NodeJS.Timeout | undefined;

  /** Whether this line is written. `tell` is called at the end of the span if lines like it were not. */
  admits(kind: string, report: (leftOut: number) => void): boolean {
    this.timer ??= setTimeout(() => this.end(), spanMilliseconds).unref();
    const key = this.kinds.has(kind) || this.kinds.size < maxKinds ? kind : "any other";
    const known = this.kinds.get(key) ?? { lines: 0, report };
    known.lines += 1;
    this.kinds.set(key, known);
    return known.lines <= maxInSpan;
  }

  /** Logs how much was left out, and begins a new span. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { kinds } = this;
    this.kinds = new Map();
    for (const { lines, report } of kinds.values())
      if (lines > maxInSpan) report(lines - maxInSpan);
  }
}
