/** So many lines with the same words and the same error are written in one span; the rest is counted. */
const mostInSpan = 10;
const spanMilliseconds = 10_000;
const mostKinds = 500;

interface Kind {
  lines: number;
  /** Writes how many were left out. */
  tell: (leftOut: number) => void;
}

/** Kinds of lines of the current span. */
export class Repeats {
  private kinds = new Map<string, Kind>();
  private timer: NodeJS.Timeout | undefined;

  /** Whether this line is written. `tell` is called at the end of the span if lines like it were not. */
  admits(kind: string, tell: (leftOut: number) => void): boolean {
    this.timer ??= setTimeout(() => this.end(), spanMilliseconds).unref();
    const key = this.kinds.has(kind) || this.kinds.size < mostKinds ? kind : "any other";
    const known = this.kinds.get(key) ?? { lines: 0, tell };
    known.lines += 1;
    this.kinds.set(key, known);
    return known.lines <= mostInSpan;
  }

  /** Tells what was left out, and begins a new span. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { kinds } = this;
    this.kinds = new Map();
    for (const { lines, tell } of kinds.values()) if (lines > mostInSpan) tell(lines - mostInSpan);
  }
}
