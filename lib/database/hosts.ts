import type { ClientConfig } from "pg";
import { perProcess } from "@/lib/protocol/per-process";
import { splitHosts } from "@/lib/protocol/store-address";

/** Which of several servers accepted writes last, by the connection string that names them. */
const lastWritable = perProcess("writable-servers", () => new Map<string, string>());

/**
 * Opens a connection to the one of the configured servers that accepts writes: the one that did last, else all are tried at once.
 * `open` must fail for a server that is read-only when it is asked to. Fails with the most specific error of the attempts.
 */
export async function openWritable<Opened>(
  config: ClientConfig,
  open: (server: ClientConfig, mustWrite: boolean) => Promise<Opened>,
  discard: (unneeded: Opened) => void,
): Promise<Opened> {
  const { connectionString = "", ...rest } = config;
  const servers = connectionString === "" ? [] : splitHosts(connectionString);
  if (servers.length < 2)
    return open(
      servers[0] === undefined ? config : { ...rest, connectionString: servers[0] },
      false,
    );
  const last = lastWritable().get(connectionString);
  if (last !== undefined) {
    try {
      return await open({ ...rest, connectionString: last }, true);
    } catch {
      lastWritable().delete(connectionString);
    }
  }
  const attempts = servers.map(async (server) => {
    const opened = await open({ ...rest, connectionString: server }, true);
    return { server, opened };
  });
  try {
    const first = await Promise.any(attempts);
    lastWritable().set(connectionString, first.server);
    for (const attempt of attempts)
      attempt.then(
        ({ opened }) => (opened === first.opened ? undefined : discard(opened)),
        () => undefined,
      );
    return first.opened;
  } catch (error) {
    throw pickError((error as AggregateError).errors);
  }
}

/** What a server answered says more than that another cannot be reached. */
function pickError(errors: unknown[]): unknown {
  const isAnswer = (error: unknown) =>
    error instanceof Error && "code" in error && /^[0-9A-Z]{5}$/.test(String(error.code));
  return errors.find(isAnswer) ?? errors[0];
}
