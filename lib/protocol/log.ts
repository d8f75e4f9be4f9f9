import pino, { type Logger } from "pino";

declare global {
  var gatehouseLog: Logger | undefined;
}

function openLog(): Logger {
  const destination = process.env.LOG_FILE
    ? { dest: process.env.LOG_FILE, mkdir: true, sync: true }
    : { dest: 1, sync: true };
  return pino(
    {
      level: process.env.LOG_LEVEL || "info",
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination(destination),
  );
}

/** The process's one logger. Never hand it headers, query strings, bodies or secrets. An Error goes under `err`. */
export function log(): Logger {
  globalThis.gatehouseLog ??= openLog();
  return globalThis.gatehouseLog;
}
