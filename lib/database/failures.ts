const lostConnection =
  /^(08\w{3}|57P0[1-35]|53300|25P03|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const lostConnectionMessage =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client was closed|connection error and is not queryable|Cannot use a pool after calling end|Client has already been|does not answer/;

/**
 * Messages of a Citus coordinator about a node lost in the middle of a transaction, which it rolled back, or during the node's
 * commit. It has no separate code for either.
 */
const lostNode =
  /^failure on connection marked as essential|^connection not open|^could not commit transaction for shard/;

function isNodeLost({ code, severity, message }: Record<string, unknown>): boolean {
  if (severity === undefined) return false;
  return /^08/.test(String(code)) || (code === "XX000" && lostNode.test(String(message)));
}

/** Out of disk space, out of memory, or a configured limit of the store exceeded. */
const noRoom = /^(53[0124]00|58030)$/;

/** Kinds of failures of the store that are neither the caller's nor the service's fault: the request may be sent again. */
export type StoreFailure = "away" | "full" | "read-only" | "busy" | "slow";

/** The kind of a failure of the store; undefined for anything else, including an invalid statement. */
export function storeFailure(error: unknown): StoreFailure | undefined {
  for (const link of chain(error)) {
    const code = String(link.code);
    if (noRoom.test(code)) return "full";
    if (code === "25006") return "read-only";
    if (code === "55P03") return "busy";
    if (code === "57014") return "slow";
    if (isConnectionLost(link)) return "away";
  }
  return undefined;
}

/** Checks the message only if there is no code: drizzle's message contains the statement's values, which callers may choose. */
function isConnectionLost(link: Record<string, unknown>): boolean {
  const { code, syscall, message, isLast } = link;
  const isSocketGone = (code === "ENOENT" || code === "EACCES") && syscall === "connect";
  const isReported =
    isLast === true && code === undefined && lostConnectionMessage.test(String(message));
  return lostConnection.test(String(code)) || isSocketGone || isReported || isNodeLost(link);
}

/** Whether the store could not be reached, was lost during the work or accepts no writes now. */
export function isStoreDown(error: unknown): boolean {
  const failure = storeFailure(error);
  return failure === "away" || failure === "full" || failure === "read-only";
}

/** Whether it is unknown if a transaction was committed: the response to its COMMIT was lost. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  chain(error).some(({ code }) => code === "08007");

/** Whether the store rejects a value: a text that it cannot encode, or a number out of range. */
export const isRejectedValue = (error: unknown): boolean =>
  chain(error).some(({ code }) => /^22/.test(String(code)));

/** Whether the store cancelled a statement that took longer than statement_timeout. */
export const isStatementTimeout = (error: unknown): boolean => storeFailure(error) === "slow";

/** Whether the server that we are connected to reports that another node of its cluster is away. */
export const isNodeAway = (error: unknown): boolean => chain(error).some(isNodeLost);

/**
 * Whether the connection that reported this is unusable. Class 08 reported by the server itself is about another node of its
 * cluster: the connection to the server still works, and closing it would open another for each statement.
 */
export function isSpent(error: unknown): boolean {
  const failure = storeFailure(error);
  const isReportedByServer = chain(error).some(
    (link) => isNodeLost(link) || (link.code === "53300" && link.severity !== undefined),
  );
  return failure === "read-only" || (failure === "away" && !isReportedByServer);
}

/** Whether the statement was not executed because the previous one, which should have prepared it on the connection, failed. */
export const isUnprepared = (error: unknown): boolean =>
  chain(error).some(({ code }) => code === "26000");

/** A failure detected by this process; `code` is the store's code for such a failure. */
export function failed(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

/**
 * The constraint of a kind that a write violates, by its name in the schema. A Citus coordinator names it only in the message, with
 * the number of the shard, and if it copies rows to the nodes (INSERT ... SELECT) the code is XX000.
 */
function violated(error: unknown, code: string, kind: string): string | undefined {
  const named = new RegExp(`${kind} constraint "([^"]+)"`);
  const clash = chain(error).find(
    (link) => link.code === code || (isInternal(link) && named.test(String(link.message))),
  );
  if (clash === undefined) return undefined;
  const name = clash.constraint ?? named.exec(String(clash.message))?.[1];
  return name === undefined ? "" : String(name).replace(/_\d+$/, "");
}

const isInternal = ({ code, severity }: Record<string, unknown>) =>
  code === "XX000" && severity !== undefined;

/**
 * Whether the server reports an internal error, which is not the statement's fault: on a cluster also that a shard was moved or
 * split during it. It may be temporary.
 */
export const isInternalFailure = (error: unknown): boolean => chain(error).some(isInternal);

/** The unique constraint or index that a write violates. */
export const uniqueViolation = (error: unknown) => violated(error, "23505", "unique");

/** The foreign key that a write violates: the referenced row does not exist, or rows of another table refer to the deleted one. */
export const foreignKeyViolation = (error: unknown) => violated(error, "23503", "foreign key");

/** Whether the whole transaction may be run again: it lost a race and was rolled back. */
export function isRetriable(error: unknown): boolean {
  return (
    chain(error).some((link) => link.code === "40001" || link.code === "40P01") ||
    uniqueViolation(error) === "audit_events_pk"
  );
}

/** The error and its causes: drizzle wraps the store's error once or twice, and Node collects the errors of all addresses it tried. */
function chain(error: unknown): Record<string, unknown>[] {
  const links: Record<string, unknown>[] = [];
  for (let link = error; link instanceof Error && links.length < 10; link = link.cause) {
    links.push({ ...link, message: link.message, isLast: link.cause === undefined });
    if (link instanceof AggregateError) links.push(...link.errors.flatMap(chain));
  }
  return links;
}
