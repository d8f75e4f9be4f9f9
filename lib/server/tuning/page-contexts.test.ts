import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { expect, test } from "vitest";
import { disableIdleContexts, trackContexts } from "./page-contexts";

test("contexts are disabled a second after the last page, and enabled by the next", async () => {
  trackContexts();
  const context = new AsyncLocalStorage<string>();
  const gate = new EventTarget();
  const found = () => context.getStore();
  const visit = (name: string) => context.run(name, () => once(gate, name).then(found));
  const end = (name: string) => gate.dispatchEvent(new Event(name));
  const visits = ["first", "second", "third"].map(visit);
  disableIdleContexts(true, 5000);
  end("first");
  expect(await visits[0]).toBe("first");
  disableIdleContexts(false, 5900);
  end("second");
  expect(await visits[1]).toBe("second");
  disableIdleContexts(false, 6100);
  end("third");
  // Node.js 24 does not track promises, so its contexts need no disabling.
  expect(await visits[2]).toBe("_enable" in AsyncLocalStorage.prototype ? undefined : "third");
  const next = visit("next");
  end("next");
  expect(await next).toBe("next");
});
