import { Client, type ClientConfig } from "pg";
import { isStoreDown } from "@/lib/db/failures";

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
  waiting: number;
}

/** Connections on which statements are sent without waiting for the answers before them. */
export interface Pipes {
  query<Row>(name: string, text: string, values: unknown[]): Promise<Row[]>;
  end(): Promise<void>;
}

/** Opens connections as they are needed and forgets one that broke, so that the next statement opens another. */
export function openPipes(connection: ClientConfig, count: number): Pipes {
  const pipes = new Set<Pipe>();
  const add = () => {
    const client = new Client({ ...session, ...connection, pipeline: true });
    const forget = () => pipes.delete(pipe);
    client.on("error", forget).on("end", forget);
    const pipe: Pipe = { client: client.connect().then(() => client), waiting: 0 };
    pipe.client.catch(forget);
    pipes.add(pipe);
    return pipe;
  };
  return {
    async query<Row>(name: string, text: string, values: unknown[]) {
      const idlest = [...pipes].reduce<Pipe | undefined>((best, pipe) => (best && best.waiting <= pipe.waiting ? best : pipe), undefined);
      const pipe = idlest === undefined || (idlest.waiting > 0 && pipes.size < count) ? add() : idlest;
      pipe.waiting += 1;
      try {
        const client = await pipe.client;
        return (await client.query<Row & object>({ name, text, values })).rows;
      } catch (error) {
        if (isStoreDown(error)) pipes.delete(pipe);
        throw error;
      } finally {
        pipe.waiting -= 1;
      }
    },
    async end() {
      await Promise.all([...pipes].map(async ({ client }) => (await client.catch(() => undefined))?.end()));
    },
  };
}
