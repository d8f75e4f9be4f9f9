interface Snapshot {
  env: NodeJS.ProcessEnv;
  cwd: string;
  umask: number;
  title: string;
  exitCode: typeof process.exitCode;
  listeners: ReadonlyMap<string | symbol, ReadonlySet<unknown>>;
  globals: ReadonlyMap<string, PropertyDescriptor>;
}

const place = Symbol.for("gatehouse.process-snapshot");
const holder = globalThis as { [place]?: Snapshot };

/** Set by the test runner: the numbers of its workers and files. */
const isRunners = (name: string) => name.startsWith("VITEST") || name.startsWith("__vitest");

/** Records the state of the process before its first test file. */
export function snapshotProcess(): void {
  holder[place] ??= {
    env: { ...process.env },
    cwd: process.cwd(),
    umask: process.umask(),
    title: process.title,
    exitCode: process.exitCode,
    listeners: new Map(
      process.eventNames().map((event) => [event, new Set(process.rawListeners(event))]),
    ),
    globals: new Map(Object.entries(Object.getOwnPropertyDescriptors(globalThis))),
  };
}

/** Restores what test files have changed since then. A new global stays if a package has added it, because packages are loaded once. */
export function restoreProcess(): void {
  const first = holder[place];
  if (first === undefined) throw new Error("There is no snapshot of the process.");
  if (process.cwd() !== first.cwd) process.chdir(first.cwd);
  process.umask(first.umask);
  process.title = first.title;
  process.exitCode = first.exitCode;
  process.exit = rejectExit;
  restoreEnv(first.env);
  for (const event of process.eventNames())
    for (const listener of process.rawListeners(event))
      if (!first.listeners.get(event)?.has(listener))
        process.removeListener(event, listener as () => void);
  for (const [name, descriptor] of first.globals)
    if (!isRunners(name)) restoreGlobal(name, descriptor);
}

function restoreEnv(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env))
    if (!(name in env) && !isRunners(name)) delete process.env[name];
  for (const [name, value] of Object.entries(env))
    if (!isRunners(name) && process.env[name] !== value) process.env[name] = value;
}

function restoreGlobal(name: string, descriptor: PropertyDescriptor): void {
  const now = Object.getOwnPropertyDescriptor(globalThis, name);
  if (now?.get !== descriptor.get || now?.value !== descriptor.value)
    Object.defineProperty(globalThis, name, descriptor);
}

/** As the test runner does for the first file of a process. */
function rejectExit(code?: number | string | null): never {
  throw new Error(
    `A test ends the process that it runs in, with ${code ?? process.exitCode ?? 0}.`,
  );
}
