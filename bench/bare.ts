import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const body = JSON.stringify({ text: "x".repeat(1024 - 11) });

/** The baseline of every rate: a bare Node server that returns a kilobyte of JSON. */
const server = createServer((req, res) => {
  if (req.url === "/cpu") {
    const { user, system } = process.cpuUsage();
    res.end(String((user + system) / 1e6));
    return;
  }
  res.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
  res.end(body);
});

server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
