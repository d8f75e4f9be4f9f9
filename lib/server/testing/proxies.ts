import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { freePort } from "./product";

/*
 * A typical proxy in front of the product: it requires a separate password (HTTP Basic) and forwards the header, compresses JSON
 * and so makes its ETag weak, and keeps connections to the product open.
 */

export interface FrontProxy {
  name: string;
  url: string;
  stop(): Promise<void>;
}

/** The credentials that the proxies require. */
export const proxyPassword = { username: "staging", password: "a gate before the gate" };
export const basicHeader = `Basic ${Buffer.from(Object.values(proxyPassword).join(":")).toString("base64")}`;

const isCompressible = ({ headers }: IncomingMessage, asked: IncomingMessage) =>
  /\bjson\b/.test(headers["content-type"] ?? "") &&
  headers["content-encoding"] === undefined &&
  /\bgzip\b/.test(String(asked.headers["accept-encoding"] ?? ""));

function sendOn(req: IncomingMessage, res: ServerResponse, answer: IncomingMessage): void {
  const { statusCode = 502, headers } = answer;
  if (!isCompressible(answer, req) || req.method === "HEAD" || statusCode === 304) {
    res.writeHead(statusCode, headers);
    answer.pipe(res);
    return;
  }
  const { "content-length": _, etag, ...rest } = headers;
  const tag = etag === undefined ? {} : { etag: etag.replace(/^(?!W\/)/, "W/") };
  res.writeHead(statusCode, { ...rest, ...tag, "content-encoding": "gzip" });
  answer.pipe(createGzip()).pipe(res);
}

/** The proxy that needs no installed program, in front of the product at `target`. */
async function startOwnProxy(target: string): Promise<FrontProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const { hostname, port } = new URL(target);
  const server = createServer((req, res) => {
    if (req.headers.authorization !== basicHeader) {
      res.writeHead(401, { "WWW-Authenticate": 'Basic realm="staging"' }).end();
      return;
    }
    const { method, headers, url: path } = req;
    const onward = request({ agent, hostname, port, method, headers, path });
    onward.on("response", (answer) => sendOn(req, res, answer));
    onward.on("error", () => res.destroy());
    req.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    name: "a proxy of our own",
    url: `http://localhost:${typeof address === "object" ? address?.port : ""}`,
    stop: async () => {
      server.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const nginxConfiguration = (folder: string, port: number, target: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream product {
    server ${new URL(target).host};
    keepalive 8;
  }
  server {
    listen 127.0.0.1:${port};
    large_client_header_buffers 4 16k;
    gzip on;
    gzip_min_length 1;
    gzip_proxied any;
    gzip_types application/json application/problem+json;
    location / {
      auth_basic "staging";
      auth_basic_user_file ${folder}/passwords;
      proxy_pass http://product;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
    }
  }
}
`;

const isUp = (url: string) => fetch(url).then(Boolean, () => false);

async function runNginx(folder: string, url: string): Promise<ChildProcess> {
  const options = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const child = spawn("nginx", options, { stdio: "ignore" });
  while (!(await isUp(url))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    await pause(5);
  }
  return child;
}

async function startNginx(target: string): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-nginx-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  writeFileSync(join(folder, "nginx.conf"), nginxConfiguration(folder, port, target));
  const { username, password } = proxyPassword;
  writeFileSync(join(folder, "passwords"), `${username}:{PLAIN}${password}\n`);
  const child = await runNginx(folder, url);
  return {
    name: "nginx",
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whether this machine has nginx, as Debian installs it. */
export const hasNginx = (): boolean => spawnSync("nginx", ["-v"]).status === 0;

/** The available kinds of proxies, each of which starts in front of a product. */
export const proxies: Record<string, (target: string) => Promise<FrontProxy>> = {
  own: startOwnProxy,
  ...(hasNginx() && { nginx: startNginx }),
};
