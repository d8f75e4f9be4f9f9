import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** Prints the slowest tests at the end of the run. */
export default class SlowestTests implements Reporter {
  readonly #tests: { title: string; seconds: number }[] = [];

  onTestEnd(test: TestCase, { duration }: TestResult): void {
    this.#tests.push({
      title: test.titlePath().filter(Boolean).join(" > "),
      seconds: duration / 1000,
    });
  }

  onEnd(): void {
    if (this.#tests.length === 0) return;
    const slowest = this.#tests.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
    const lines = slowest.map(
      ({ title, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${title}`,
    );
    process.stdout.write(`\nSlowest tests:\n${lines.join("\n")}\n`);
  }
}
