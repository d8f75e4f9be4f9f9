import { readdirSync, readFileSync } from "node:fs";

/** Seconds per clock tick: USER_HZ is 100 on every Linux. */
const tick = 0.01;

function statOf(pid: number): { parent: number; seconds: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]].map(Number);
    return { parent, seconds: (user + system) * tick };
  } catch {
    return undefined;
  }
}

/** Seconds of CPU time of a process, and of the running processes that it has started. */
export function cpuSecondsOf(pid: number): { own: number; started: number } {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(Number(name));
      return stat ? [{ pid: Number(name), ...stat }] : [];
    });
  const below = (parent: number): number =>
    stats
      .filter((one) => one.parent === parent)
      .reduce((sum, one) => sum + one.seconds + below(one.pid), 0);
  return { own: stats.find((one) => one.pid === pid)?.seconds ?? 0, started: below(pid) };
}

/** Seconds of CPU time that the whole machine has used. */
export function machineSeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = readFileSync(
    "/proc/stat",
    "utf8",
  )
    .split("\n", 1)
    .join("")
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) * tick;
}

export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
