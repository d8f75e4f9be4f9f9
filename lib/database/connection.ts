import { Socket } from "node:net";
import { Client, type ClientConfig } from "pg";
import { isStoreDown } from "./failures";

/** What each of our connections asks for: one time zone, and no statement that runs for ever. */
export const session: ClientConfig = {
  application_name: "gatehouse",
  connectionTimeoutMillis: 2000,
  statement_timeout: 8000,
  keepAlive: true,
  options: "-c TimeZone=UTC",
};

interface Pipe {
  client: Promise<Client>;
  socket: Socket;
  waiting: number;
  isGathering: boolean;
}

/** So many statements wait on one connection before the next is used: a server that has several at hand sleeps and wakes less. */
const deep = 32;

/** Statements asked and not yet sent. Who asks the same meanwhile shares the answer, which no asker would find older than its question. */
type Unsent = Map<string, Promise<readonly unknown[]>>;

/** What one turn of the event loop asks leaves in one write. */
function gather(pipe: Pipe, unsent: Unsent): void {
  if (pipe.isGathering) return;
  pipe.isGathering = true;
  pipe.socket.cork();
  setImmediate(() => {
    pipe.isGathering = false;
    unsent.clear();
    pipe.socket.uncork();
  });
}

/** Connections on which statements are sent without waiting for the answers before them. */
export interface Pipes {
  query<Row>(name: string, text: string, values: unknown[]): Promise<readonly Row[]>;
  end(): Promise<void>;
}

const idlest = (pipes: Set<Pipe>) =>
  [...pipes].reduce((best, pipe) => (best.waiting <= pipe.waiting ? best : pipe));

/** Opens connections as they are needed and forgets one that broke, so that the next statement opens another. */
export function openPipes(connection: ClientConfig, count: number): Pipes {
  const pipes = new Set<Pipe>();
  const unsent: Unsent = new Map();
  const add = () => {
    const socket = new Socket();
    const client = new Client({ ...session, ...connection, pipeline: true, stream: () => socket });
    const forget = () => pipes.delete(pipe);
    client.on("error", forget).on("end", forget);
    const pipe: Pipe = {
      client: client.connect().then(() => client),
      socket,
      waiting: 0,
      isGathering: false,
    };
    pipe.client.catch(forget);
    pipes.add(pipe);
    return pipe;
  };
  const send = async (key: string, name: string, text: string, values: unknown[]) => {
    const pipe =
      [...pipes].find(({ waiting }) => waiting < deep) ??
      (pipes.size < count ? add() : idlest(pipes));
    pipe.waiting += 1;
    try {
      const client = await pipe.client;
      gather(pipe, unsent);
      return (await client.query({ name, text, values })).rows;
    } catch (error) {
      if (isStoreDown(error)) pipes.delete(pipe);
      throw error;
    } finally {
      unsent.delete(key);
      pipe.waiting -= 1;
    }
  };
  return {
    query<Row>(name: string, text: string, values: unknown[]) {
      const key = `${name} ${JSON.stringify(values)}`;
      const rows = unsent.get(key) ?? send(key, name, text, values);
      unsent.set(key, rows);
      return rows as Promise<readonly Row[]>;
    },
    async end() {
      await Promise.all(
        [...pipes].map(async ({ client }) => (await client.catch(() => undefined))?.end()),
      );
    },
  };
}
