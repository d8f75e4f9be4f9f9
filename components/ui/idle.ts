type Task = () => Promise<unknown>;

const waiting: Task[] = [];
let isRunning = false;

/** The delay after the page load before code is prefetched. */
const quietMs = 3000;

const pageLoaded = () =>
  new Promise<void>((resolve) => {
    if (document.readyState === "complete") resolve();
    else window.addEventListener("load", () => resolve(), { once: true });
  });

const idle = () =>
  new Promise<void>((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });

/** Whether the user has turned on the browser's data saver. */
export function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, "connection");
  return typeof connection === "object" && connection !== null
    ? Reflect.get(connection, "saveData") === true
    : false;
}

async function run(): Promise<void> {
  await pageLoaded();
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  for (let task = waiting.shift(); task; task = waiting.shift()) {
    await idle();
    await task();
  }
  isRunning = false;
  performance.mark("gatehouse.prefetched");
}

/** Runs tasks one after the other once the page has loaded and is idle. */
export function whenIdle(task: Task): void {
  if (typeof window === "undefined" || savesData()) return;
  waiting.push(task);
  if (isRunning) return;
  isRunning = true;
  void run();
}
