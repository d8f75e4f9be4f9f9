const lostConnection =
  /^(08\w{3}|57P0[1-35]|53300|25P03|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

const lostConnectionMessage =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|Client was closed|connection error and is not queryable|Cannot use a pool after calling end|Client has already been|does not answer/;

/**
 * How a coordinator of Citus reports a node that went away in the middle of a transaction, which it rolled back, or while the node
 * committed. It has no separate code for either.
 */
const lostNode =
  /^failure on connection marked as essential|^connection not open|^could not commit transaction for shard/;

function isNodeLost({ code, severity, message }: Record<string, unknown>): boolean {
  if (severity === undefined) return false;
  return /^08/.test(String(code)) || (code === "XX000" && lostNode.test(String(message)));
}

/** No room on a disk, in memory, or for what the store's own limits are about. */
const noRoom = /^(53[0124]00|58030)$/;

/** How the store failed a request that may be sent again: nobody here is at fault. */
export type StoreFailure = "away" | "full" | "read-only" | "busy" | "slow";

/** Of which kind a failure of the store is; undefined for anything else, a statement that is wrong among them. */
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

/** A message is asked only where there is nothing else to go by: drizzle's own holds the statement's values, which anybody may choose. */
function isConnectionLost(link: Record<string, unknown>): boolean {
  const { code, syscall, message, isLast } = link;
  const isSocketGone = (code === "ENOENT" || code === "EACCES") && syscall === "connect";
  const isReported =
    isLast === true && code === undefined && lostConnectionMessage.test(String(message));
  return lostConnection.test(String(code)) || isSocketGone || isReported || isNodeLost(link);
}

/** Whether the store could not be reached, went away in the middle or takes no writes now. */
export function isStoreDown(error: unknown): boolean {
  const failure = storeFailure(error);
  return failure === "away" || failure === "full" || failure === "read-only";
}

/** Whether a transaction may have been kept and may not: the answer to its COMMIT was lost. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  chain(error).some(({ code }) => code === "08007");

/** Whether the store rejects a value: no text of its encoding, no number in range. */
export const isRejectedValue = (error: unknown): boolean =>
  chain(error).some(({ code }) => /^22/.test(String(code)));

/** Whether the store gave a statement up because it took longer than statement_timeout. */
export const isStatementTimeout = (error: unknown): boolean => storeFailure(error) === "slow";

/** Whether the server that we are connected to reports that another node of its cluster is away. */
export const isNodeAway = (error: unknown): boolean => chain(error).some(isNodeLost);

/**
 * Whether nothing more may be asked on the connection that reported this. Class 08 reported by the server itself is about another
 * node of its cluster: the way to the server is good, and forgetting it would open another for each statement.
 */
export function isSpent(error: unknown): boolean {
  const failure = storeFailure(error);
  const isReportedByServer = chain(error).some(
    (link) => isNodeLost(link) || (link.code === "53300" && link.severity !== undefined),
  );
  return failure === "read-only" || (failure === "away" && !isReportedByServer);
}

/** Whether the statement was not executed because the one before it, which was to prepare it on their connection, failed. */
export const isUnprepared = (error: unknown): boolean =>
  chain(error).some(({ code }) => code === "26000");

/** A failure that this process found itself; `code` is the store's own for the like. */
export function failed(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

/**
 * The constraint of a kind that a write violates, by its name in the schema. A coordinator of Citus names it only in the message, with
 * the number of the shard, and where it copies rows to the nodes (INSERT ... SELECT) the code is XX000.
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
 * Whether the server reports a fault of itself, which is none of the statement: on a cluster also that a shard was moved or split
 * meanwhile. It may pass.
 */
export const isInternalFailure = (error: unknown): boolean => chain(error).some(isInternal);

/** The constraint or unique index that a write clashed with. */
export const uniqueViolation = (error: unknown) => violated(error, "23505", "unique");

/** The foreign key that a write violates: the row that it names is not there, or rows of another table name the one that it deletes. */
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
    links.push({ ...link, message: link.message, isLast: link.cause === undefined });
    if (link instanceof AggregateError) links.push(...link.errors.flatMap(chain));
  }
  return links;
}
