import { type ChildProcess, fork } from "node:child_process";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { projectRoot } from "@/lib/database/data-dir";
import { log } from "@/lib/protocol/log";
import { backlog } from "@/lib/server/limits";

/*
 * Node accepts one connection from a listening socket in each turn of the event loop. If a turn takes 20 ms, the last of a thousand new
 * connections waits for 20 seconds, even for /healthz. Copies of the socket's descriptor are polled separately, so that a turn accepts as
 * many connections as there are descriptors. A process gets copies by sending a descriptor to another one, which
 * sends it back.
 */

export interface ListenerCopies {
  /** Resolves when there are copies, or if there can be none: then each turn accepts one connection. */
  made: Promise<void>;
  close(): void;
}

/** Starts a process that sends copies of a listening server's socket, and disconnects when it has sent the last one. */
export function askForCopies(
  server: Server,
  count: number,
  onCopy: (socket: unknown) => void,
): ChildProcess {
  const program = join(projectRoot(), "lib", "server", "tuning", "copying-process.mjs");
  const helper = fork(program, [], {
    execArgv: [],
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  helper.on("message", (_message, socket) => onCopy(socket));
  // Only the socket: with a server, the other process would listen too.
  helper.send(count, Reflect.get(server, "_handle"), { keepOpen: true }, () => undefined);
  return helper;
}

/** Accepts connections of a listening server on this many copies of its socket, too. */
export function copyListener(server: Server, count: number): ListenerCopies {
  const copies = new Set<Server>();
  if (count === 0) return { made: Promise.resolve(), close: () => undefined };
  let isClosed = false;
  const add = (socket: unknown) => {
    if (isClosed) return;
    const options = { allowHalfOpen: true, noDelay: true };
    const copy = createServer(options, (connection) => server.emit("connection", connection));
    copy.on("error", () => copies.delete(copy));
    copies.add(copy.listen(socket, backlog));
  };
  const helper = askForCopies(server, count, add);
  helper.on("error", (error) =>
    log().warn({ err: error }, "connections are accepted one at a time"),
  );
  const made = new Promise<void>((resolve) => {
    helper.once("error", () => resolve());
    helper.once("disconnect", () => resolve());
  });
  helper.unref();
  helper.channel?.unref();
  return {
    made,
    close() {
      isClosed = true;
      for (const copy of copies) copy.close();
    },
  };
}
