/** Whether a process of this machine is running; one of another user counts. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const option = "--worker=";

/** The argument with the number of a process among several behind one port. */
export const workerArgument = (number: number): string => `${option}${number}`;

/** The number of this process among several behind one port, from 1 on; undefined for a single process. */
export const workerNumber: number | undefined = (() => {
  const given = process.argv.find((argument) => argument.startsWith(option));
  return given === undefined ? undefined : Number(given.slice(option.length));
})();
