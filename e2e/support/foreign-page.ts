import { once } from "node:events";
import { createServer } from "node:http";

/** Serves one empty page from a separate origin until `close`; and at `/client.js` the script that is given. */
export async function openForeignPage(
  script = "",
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((req, res) => {
    if (req.url === "/client.js") {
      res.writeHead(200, { "Content-Type": "text/javascript; charset=utf-8" });
      res.end(script);
      return;
    }
    res.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    res.end(
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title><h1>A shop</h1></html>',
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address)
    throw new Error("The page of another origin could not be served.");
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { origin: `http://127.0.0.1:${address.port}`, close };
}
