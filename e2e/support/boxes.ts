import type { Locator } from "@playwright/test";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  bottom: number;
}

/** Where elements stand at one moment: asked for one after the other, they may have moved in between. */
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
