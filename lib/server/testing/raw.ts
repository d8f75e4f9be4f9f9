import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A connection on which a test sends arbitrary bytes. */
export interface RawConnection {
  send(text: string): void;
  /** The next response; fails if the connection closes before it is complete. */
  answer(options?: { hasBody?: boolean }): Promise<RawAnswer>;
  /** Resolves when the server has closed the connection; the text is the data after the last response. */
  closed(): Promise<string>;
  end(): void;
}

function parseHead(head: string): RawAnswer {
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(first.split(" ")[1]), headers, body: "" };
}

/** Takes one complete response from the received data; undefined while it is incomplete. */
function takeAnswer(
  received: string,
  hasBody: boolean,
): { answer: RawAnswer; rest: string } | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const answer = parseHead(received.slice(0, end));
  const length =
    hasBody && answer.status >= 200 ? Number(answer.headers["content-length"] ?? 0) : 0;
  const from = end + 4;
  if (received.length < from + length) return undefined;
  return {
    answer: { ...answer, body: received.slice(from, from + length) },
    rest: received.slice(from + length),
  };
}

export function connectRaw(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding("latin1");
  let received = "";
  const closing = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  socket.on("data", (text) => {
    received += text;
  });
  return {
    send: (text) => void socket.write(text, "latin1"),
    async answer({ hasBody = true } = {}) {
      for (;;) {
        const taken = takeAnswer(received, hasBody);
        if (taken) {
          received = taken.rest;
          return taken.answer;
        }
        if (socket.destroyed)
          throw new Error(`The connection closed after ${JSON.stringify(received)}`);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async closed() {
      await closing;
      return received;
    },
    end: () => socket.destroy(),
  };
}

/** Sends one request and returns its response. */
export async function rawRequest(
  url: string,
  text: string,
  options?: { hasBody?: boolean },
): Promise<RawAnswer> {
  const connection = connectRaw(url);
  connection.send(text);
  try {
    return await connection.answer(options);
  } finally {
    connection.end();
  }
}

/** The lines of a GET on this path, with further header lines. */
export function get(path: string, ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
}
