import { expect, test } from "vitest";
import { type SeriesOf, withSeries } from "./series";

const values = (user: string) => ["d", "s", "e", "GET", "200", "k", user, "apiKey"];

test("the memory is bounded even if a new run always starts before another ends", async () => {
  const fill = (seriesOf: SeriesOf, run: number) => {
    for (let user = 0; user < 20_000; user += 1) seriesOf(values(`${run}-${user}`));
  };
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let kept: SeriesOf | undefined;
  const running = withSeries(async (seriesOf) => {
    kept = seriesOf;
    fill(seriesOf, 1);
    await held;
    return seriesOf(values("1-0"));
  });
  const early = kept?.(values("1-0"));
  const late = await withSeries(async (seriesOf) => seriesOf(values("1-0")));
  expect(late, "a run that begins when there is too much starts anew").not.toBe(early);
  expect(late).toEqual(early);
  finish();
  expect(await running, "a run keeps its objects").toBe(early);
});
