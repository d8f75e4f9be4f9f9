const lostConnection =
  /^(08\w{3}|57P0[1-3]|53300|25006|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const lostConnectionMessage =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client was closed|connection error and is not queryable|Cannot use a pool after calling end|Client has already been/;

/** Whether the store could not be reached or went away in the middle: the caller may try again, nobody here is at fault. */
export function isStoreDown(error: unknown): boolean {
  return chain(error).some(
    (link) =>
      lostConnection.test(String(link.code)) ||
      ((link.code === "ENOENT" || link.code === "EACCES") && link.syscall === "connect") ||
      lostConnectionMessage.test(String(link.message)),
  );
}

/** Whether the store gave a statement up because it took longer than statement_timeout. */
export function isStatementTimeout(error: unknown): boolean {
  return chain(error).some((link) => link.code === "57014");
}

function violated(error: unknown, code: string, kind: string): string | undefined {
  const clash = chain(error).find((link) => link.code === code);
  if (clash === undefined) return undefined;
  const name =
    clash.constraint ?? new RegExp(`${kind} constraint "([^"]+)"`).exec(String(clash.message))?.[1];
  return name === undefined ? "" : String(name).replace(/_\d+$/, "");
}

/** The constraint or unique index that a write clashed with. On Citus it is named only in the message, with the number of the shard. */
export const uniqueViolation = (error: unknown) => violated(error, "23505", "unique");

/** The foreign key of another table that keeps a row from being deleted. */
export const foreignKeyViolation = (error: unknown) => violated(error, "23503", "foreign key");

/** Whether the whole transaction may be run again: it lost a race, and nothing of it was kept. */
export function isRetriable(error: unknown): boolean {
  return (
    chain(error).some((link) => link.code === "40001" || link.code === "40P01") ||
    uniqueViolation(error) === "audit_events_pk"
  );
}

/** The error and its causes: drizzle puts the store's own error one or two links down, and Node gathers the addresses it tried. */
function chain(error: unknown): Record<string, unknown>[] {
  const links: Record<string, unknown>[] = [];
  for (let link = error; link instanceof Error && links.length < 10; link = link.cause) {
    links.push({ ...link, message: link.message });
    if (link instanceof AggregateError) links.push(...link.errors.flatMap(chain));
  }
  return links;
}
