import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { WorkerLoad } from "./balance";

/** What a supervisor sends to a worker. The socket is sent with `listen`. */
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
  // A process that has just exited cannot be written to, which its exit event reports anyway.
  if (worker.connected) worker.send(message, socket, { keepOpen: true }, () => undefined);
}
