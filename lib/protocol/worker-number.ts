const option = "--worker=";

/** How a process is told which of several behind one port it is. */
export const workerArgument = (number: number): string => `${option}${number}`;

/** Which of several processes behind one port this is, from 1 on; undefined where it serves alone. */
export const workerNumber: number | undefined = (() => {
  const given = process.argv.find((argument) => argument.startsWith(option));
  return given === undefined ? undefined : Number(given.slice(option.length));
})();
