import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { listen } from "@/lib/server/listening";
import { askForCopies } from "@/lib/server/tuning/listener-copies";

/** A listening socket from which the workers accept connections, but not this process. */
export interface SharedListener {
  port: number;
  /** As `ChildProcess.send` takes it. */
  handle: Socket;
  close(): void;
}

/**
 * Listens, and keeps a copy of the socket that this process does not poll. Connections wait in the socket while there is no worker,
 * so that the port is open for as long as the supervisor runs.
 */
export async function openSharedListener(port: number, host: string): Promise<SharedListener> {
  const server = createServer((connection) => connection.destroy());
  const address = await listen(server, port, host);
  const copies: Socket[] = [];
  const helper = askForCopies(server, 1, (copy) => copies.push(copy as Socket));
  await Promise.race([once(helper, "disconnect"), once(helper, "error")]);
  server.close();
  const [handle] = copies;
  if (!handle) throw new Error("WORKERS: the socket cannot be shared with other processes here.");
  return {
    port: address.port,
    handle,
    close: () => void Reflect.get(handle, "close").call(handle),
  };
}
