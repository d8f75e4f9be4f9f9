import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import {
  testCertificate,
  testKey,
} from "@/lib/features/destinations/audit-streams/testing/certificate";
import type { MailServer } from "@/lib/protocol/mail-settings";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text, decoded from quoted-printable. */
  text: string;
  isEncrypted: boolean;
  /** The user name the client authenticated with, or empty. */
  user: string;
}

type Reply = (command: string) => string | undefined;

interface World {
  security: MailServer["security"];
  received: ReceivedMail[];
  commands: string[];
  sockets: Set<Socket>;
  reply: Reply;
  taken: (mail: ReceivedMail) => void;
}

interface Session extends Omit<ReceivedMail, "text"> {
  socket: Socket;
  /** The lines received of the current mail. */
  reading?: string[] | undefined;
}

const identity = { key: testKey, cert: testCertificate, isServer: true };

const decoded = (text: string) =>
  text
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );

/** The handlers of the commands: each updates the session and returns the lines of the response. */
const commands: Record<string, (session: Session, line: string, world: World) => string[]> = {
  EHLO: ({ isEncrypted }, _line, { security }) => [
    "250-localhost",
    ...(security === "starttls" && !isEncrypted ? ["250-STARTTLS"] : []),
    "250 AUTH PLAIN",
  ],
  AUTH: (session, line) => {
    const given = Buffer.from(line.split(" ").at(-1) ?? "", "base64").toString();
    session.user = given.split("\0")[1] ?? "";
    return ["235 2.7.0 Signed in"];
  },
  MAIL: (session, line) => {
    session.from = /<([^>]*)>/.exec(line)?.[1] ?? "";
    return ["250 2.1.0 Fine"];
  },
  RCPT: (session, line) => {
    session.to.push(/<([^>]*)>/.exec(line)?.[1] ?? "");
    return ["250 2.1.5 Fine"];
  },
  DATA: (session) => {
    session.reading = [];
    return ["354 Go on"];
  },
};

function readLine(
  session: Session,
  reading: string[],
  line: string,
  { received, taken }: World,
): string[] {
  if (line !== ".") {
    reading.push(line.replace(/^\.\./, "."));
    return [];
  }
  const { from, to, isEncrypted, user } = session;
  const mail = { from, to, isEncrypted, user, text: decoded(reading.join("\r\n")) };
  received.push(mail);
  taken(mail);
  Object.assign(session, { reading: undefined, to: [] });
  return ["250 2.0.0 Taken"];
}

function hear(session: Session, line: string, world: World): void {
  const say = (lines: string[]) =>
    lines.length > 0 && session.socket.write(`${lines.join("\r\n")}\r\n`);
  if (session.reading) {
    say(readLine(session, session.reading, line, world));
    return;
  }
  world.commands.push(line);
  const verb = line.slice(0, 4).toUpperCase();
  const other = world.reply(line);
  if (other !== undefined) say([other]);
  else if (verb === "STAR") {
    say(["220 Go on"]);
    listenTo(new TLSSocket(session.socket, identity), true, world);
  } else if (verb === "QUIT") session.socket.end("221 Bye\r\n");
  else say(commands[verb]?.(session, line, world) ?? ["250 Fine"]);
}

function listenTo(socket: Socket, isEncrypted: boolean, world: World): void {
  const session: Session = { socket, from: "", to: [], isEncrypted, user: "" };
  let rest = "";
  world.sockets.add(socket);
  socket.on("error", () => undefined);
  socket.on("data", (part: Buffer) => {
    const lines = (rest + part.toString("latin1")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(session, line, world);
  });
}

/**
 * A mail server on this machine: as much of RFC 5321 as a client needs. `reply` overrides the response to a command, and `taken` is
 * called with each mail.
 */
export async function openSmtp(
  security: MailServer["security"] = "none",
  reply: Reply = () => undefined,
  taken: World["taken"] = () => undefined,
) {
  const world: World = { security, received: [], commands: [], sockets: new Set(), reply, taken };
  const server = createServer((raw) => {
    raw.on("error", () => undefined);
    world.sockets.add(raw);
    const socket = security === "tls" ? new TLSSocket(raw, identity) : raw;
    listenTo(socket, security === "tls", world);
    socket.write("220 localhost ready\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const target: MailServer = { host: "127.0.0.1", port, security };
  return {
    url: `smtp${security === "tls" ? "s" : ""}://127.0.0.1:${port}${security === "none" ? "?tls=off" : ""}`,
    target,
    received: world.received,
    /** Every line that clients sent, except the mails. */
    commands: world.commands,
    reply(next: Reply) {
      world.reply = next;
    },
    close() {
      for (const socket of world.sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type SmtpServer = Awaited<ReturnType<typeof openSmtp>>;
