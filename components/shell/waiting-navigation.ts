import { t } from "@/components/texts/t";
import { notify } from "@/components/ui/toast";
import { connection, connectionLost } from "./connection";
import { isNavigation } from "./navigation-request";
import { noteRequest } from "./session/times";

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
 * error page. Says on the way which session each request has used. Returns how to undo it.
 */
export function letNavigationsWait(): () => void {
  const before = window.fetch;
  const waiting: typeof fetch = async (input, init) => {
    const sentAt = Date.now();
    try {
      const response = await before(input, init);
      void noteRequest([input, init], response, sentAt);
      return response;
    } catch (error) {
      if (init?.signal?.aborted || !isNavigation(init)) throw error;
      const back = connectionBack();
      connectionLost();
      void notify(t("No connection. The page opens as soon as there is one."));
      await back;
      return waiting(input, init);
    }
  };
  window.fetch = waiting;
  return () => {
    window.fetch = before;
  };
}
