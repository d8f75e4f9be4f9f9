import type { Locator } from "@playwright/test";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  bottom: number;
}

/** The positions of elements at the same time; with one query for each, they could move in between. */
export async function boxesOf<const Locators extends Locator[]>(
  ...locators: Locators
): Promise<{ [Index in keyof Locators]: Box }> {
  const elements = await Promise.all(locators.map((one) => one.elementHandle()));
  const boxes = await elements[0]?.evaluate(
    (_, all) => all.map((one) => one?.getBoundingClientRect().toJSON()),
    elements,
  );
  return boxes as { [Index in keyof Locators]: Box };
}
