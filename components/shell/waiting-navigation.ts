import { connection, connectionLost } from "./connection";

/** Whether the router of Next asks for a page that somebody wants to open, and does not fetch ahead. */
function isNavigation(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers);
  return headers.has("rsc") && ![...headers.keys()].some((name) => name.endsWith("-prefetch"));
}

function connectionBack(): Promise<void> {
  return new Promise((resolve) => {
    const stop = connection.subscribe(() => {
      if (connection.lostAt() !== undefined) return;
      stop();
      resolve();
    });
  });
}

/**
 * Lets navigations wait for the connection: the router would answer a failed request by leaving for the browser's own
 * error page. Returns how to undo it.
 */
export function letNavigationsWait(): () => void {
  const before = window.fetch;
  const waiting: typeof fetch = async (input, init) => {
    try {
      return await before(input, init);
    } catch (error) {
      if (init?.signal?.aborted || !isNavigation(init)) throw error;
      const back = connectionBack();
      connectionLost();
      await back;
      return waiting(input, init);
    }
  };
  window.fetch = waiting;
  return () => {
    window.fetch = before;
  };
}
