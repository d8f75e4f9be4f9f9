import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { listen } from "@/lib/server/listening";
import { askForCopies } from "@/lib/server/tuning/listener-copies";

/** A socket that listens and that this process takes no connection from: whom it is sent to does. */
export interface SharedListener {
  port: number;
  /** As `ChildProcess.send` takes it. */
  handle: Socket;
  close(): void;
}

/**
 * Listens, and keeps a copy of the socket that nothing here watches. What connects while no worker is there waits in the socket,
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
