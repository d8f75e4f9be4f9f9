import { errorLine } from "@/lib/protocol/error-summary";
import { setting } from "@/lib/protocol/settings";

/** Why the process could not start, for whoever started it. */
export function explainFailure(error: unknown): string {
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is taken. Stop what listens there, or start with another one: PORT=3001 npm start`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `HOST: this machine has no address ${address ?? setting("HOST")}.`;
  if (code === "EACCES") return `Port ${port} may not be opened by this user.`;
  return errorLine(error);
}
