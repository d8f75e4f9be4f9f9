import { createInterface } from "node:readline";

const firstLine = (text: string) => text.split(/\r?\n/, 1)[0] ?? "";

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  let text = "";
  for await (const chunk of input.setEncoding("utf8")) text += chunk;
  return text;
}

/** Prompts without showing the input. */
function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const { stdin } = process;
  const lines = createInterface({ input: stdin, terminal: true });
  return new Promise((resolve, reject) => {
    lines.once("line", (line) => {
      lines.close();
      process.stderr.write("\n");
      resolve(line);
    });
    lines.once("SIGINT", () => {
      lines.close();
      reject(new Error("interrupted"));
    });
  });
}

/** A secret from the terminal, or the first line of standard input: never an argument, which other users can see. */
export async function readSecret(question: string): Promise<string> {
  return process.stdin.isTTY ? ask(question) : firstLine(await readAll(process.stdin));
}
