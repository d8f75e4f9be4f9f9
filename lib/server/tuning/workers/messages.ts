import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { WorkerLoad } from "./balance";

/** What a supervisor sends to a worker. With `listen` comes the socket. */
export type ToWorker =
  | { kind: "listen" }
  | { kind: "shed"; count: number }
  | { kind: "stop"; drainMs: number }
  | { kind: "measure"; question: number }
  | { kind: "measured"; question: number; texts: string[] };

/** What a worker sends to its supervisor. */
export type ToSupervisor =
  | { kind: "ready" }
  | ({ kind: "load" } & WorkerLoad)
  | { kind: "measure-all"; question: number }
  | { kind: "measured"; question: number; text: string };

export function sendTo(worker: ChildProcess, message: ToWorker, socket?: Socket): void {
  // One that has just ended cannot be written to, which its end shows anyway.
  if (worker.connected) worker.send(message, socket, { keepOpen: true }, () => undefined);
}
