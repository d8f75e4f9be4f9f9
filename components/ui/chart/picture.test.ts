import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { drawingOf, widthClasses } from "./drawing";
import { fromClass, inClass, Picture, roomFromClass } from "./picture";

const drawing = drawingOf({
  ...{ kind: "area", height: 132, times: [0, 3_600_000, 7_200_000], timeZone: "Europe/Berlin" },
  ...{ isOpenEnded: false, format: (value: number) => `${value} calls` },
  series: [{ key: "a", label: "2xx", color: "red", dash: "0", values: [1, null, 4] }],
});
const markup = renderToStaticMarkup(createElement(Picture, { drawing }));

test("text is HTML over the stretched paths, present at once and in the reader's zone", () => {
  expect(markup).not.toContain("<text");
  for (const text of ["4 calls", "01:00", "03:00", "2xx"]) expect(markup).toContain(`>${text}</`);
});

test("the paths of a series are in thousandths of the width", () => {
  expect(markup).toContain('viewBox="0 0 1000 100"');
  expect(markup).toContain('d="M0,75h0.01M1000,0h0.01"');
});

test("container queries have the same width classes as the drawing", () => {
  const [, ...wider] = widthClasses.map(({ from }) => from);
  for (const [place, from] of wider.entries()) {
    expect(inClass[place]).toContain(`@min-[${from}px]:hidden`);
    expect(inClass[place + 1]).toContain(`@min-[${from}px]:block`);
    expect(fromClass[place + 1]).toBe(`hidden @min-[${from}px]:block`);
    expect(roomFromClass[place + 1]).toBe(`right-5 @min-[${from}px]:right-(--ends)`);
  }
  expect(inClass).toHaveLength(widthClasses.length);
});
