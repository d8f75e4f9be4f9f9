/** The outcome of one item. */
export interface Outcome<Item> {
  item: Item;
  error: Error | undefined;
}

const atOnce = 4;

/** Runs the work for each item, a few concurrently, and reports every result immediately. A failure does not stop the others. */
export async function runEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  onResult: (outcome: Outcome<Item>) => void,
): Promise<void> {
  const waiting = [...items];
  const runner = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await work(item);
        onResult({ item, error: undefined });
      } catch (thrown) {
        onResult({ item, error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runner));
}
