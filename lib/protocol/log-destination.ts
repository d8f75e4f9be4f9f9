import { mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** The destination of log lines. Writing never waits for the reader and never fails: lines that cannot be written are counted. */
export interface LogDestination {
  write(line: string): void;
  /** Waits until everything is written, at most this long. */
  flush(milliseconds: number): Promise<void>;
}

/** The buffer limit for a reader that does not read. */
const maxWaiting = 4 * 1024 * 1024;

function lostLine(lines: number): string {
  return `${JSON.stringify({ level: "error", time: new Date().toISOString(), lines, msg: "lines of the log were lost" })}\n`;
}

/** Standard output: synchronous to files and terminals, asynchronous to pipes. */
export function toStream(stream: NodeJS.WriteStream): LogDestination {
  let lost = 0;
  stream.on("error", () => undefined);
  const send = (text: string, lines: number) => {
    stream.write(text, (error) => {
      if (error) lost += lines;
    });
  };
  return {
    write(line) {
      if (stream.writableLength > maxWaiting) {
        lost += 1;
        return;
      }
      const before = lost;
      lost = 0;
      send(before > 0 ? lostLine(before) + line : line, before + 1);
    },
    async flush(milliseconds) {
      const end = performance.now() + milliseconds;
      while (stream.writableLength > 0 && performance.now() < end) await pause(5);
    },
  };
}

/** Our own file. */
export function toFile(path: string): LogDestination {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "a", 0o600);
  let lost = 0;
  return {
    write(line) {
      try {
        if (lost > 0) writeSync(file, lostLine(lost));
        lost = 0;
        writeSync(file, line);
      } catch {
        lost += 1;
      }
    },
    flush: async () => undefined,
  };
}

/** Prints a line for the user who started the program; the output may be closed by now. */
export function say(line: string, stream: NodeJS.WriteStream = process.stdout): void {
  if (stream.listenerCount("error") === 0) stream.on("error", () => undefined);
  stream.write(`${line}\n`);
}
