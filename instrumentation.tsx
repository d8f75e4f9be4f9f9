import type { Instrumentation } from "next";

/** Next calls this once per process, with and without the server. `next build` calls it too and needs no store. */
export async function register(): Promise<void> {
  const isBuild = process.env.NEXT_PHASE === "phase-production-build";
  if (process.env.NEXT_RUNTIME !== "nodejs" || isBuild) return;
  const { openStore } = await import("@/lib/database/open");
  const { publicUrl } = await import("@/lib/protocol/settings");
  process.env.NEXTAUTH_URL ??= publicUrl();
  const { checkSettings } = await import("@/lib/protocol/settings");
  checkSettings();
  // If the process is already stopping, the store is closed: opened again, it would outlive this process.
  const { isStopping } = await import("@/lib/server/stopping");
  if (isStopping()) return;
  await openStore();
  const { adoptSecretKey } = await import("@/lib/access/sealed");
  const { patiently } = await import("@/lib/database/patience");
  // The server is already listening: an unreachable store must not end it.
  await patiently(adoptSecretKey, { isEndless: true });
  const { startRecording } = await import("@/lib/features/metrics/recording");
  startRecording();
  const { startLoggingRequests } = await import("@/lib/features/request-log/note");
  startLoggingRequests();
}

/** Next calls this when a page fails, before it responds: a failure of the store becomes a 503, as for operations. */
export const onRequestError: Instrumentation.onRequestError = async (error, request) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { noteFailedPage } = await import("@/lib/server/replaced-pages");
  noteFailedPage(error, String(request.headers["x-service-request-id"]));
};
