import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { isPublicForm, submitPublicForm } from "@/lib/features/portal/public-forms";
import { type PostedForm, postedFormHeader } from "@/lib/features/portal/values";
import { startLoggingRequests } from "@/lib/features/request-log/note";
import { type Sent, sendTo } from "@/lib/http/testing/test-server";
import { withForms } from "@/lib/server/forms";
import { loadRoutes } from "@/lib/server/routes";
import { type RunningServer, startServer } from "@/lib/server/serve";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

export const password = "four words in a row";
export const typed = "typed-and-secret-0123456789";
export const fromPortal = { "Sec-Fetch-Site": "same-origin", Accept: "text/html" };

type Headers = Record<string, string>;

/** A fake of Next: returns as JSON what a page gets. */
function page(req: IncomingMessage, res: ServerResponse): void {
  const told = req.headers[postedFormHeader];
  const form = typeof told === "string" ? JSON.parse(decodeURIComponent(told)) : null;
  res.setHeader("Content-Type", "text/html");
  res.end(JSON.stringify({ method: req.method, url: req.url, form }));
}

/** Sends a form as a browser does natively. */
async function postTo(url: string, fields: Headers, headers: Headers) {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { ...fromPortal, ...headers },
    body: new URLSearchParams(fields),
  });
  const text = await response.text();
  const shown = text.startsWith("{") ? JSON.parse(text) : {};
  return {
    status: response.status,
    location: response.headers.get("location"),
    cookie: response.headers.getSetCookie().join("; "),
    form: shown.form as PostedForm | null,
    method: shown.method as string,
    text,
  };
}

/** The server with the public forms, for the tests of one file, and a tenant for them. */
export function formsServer() {
  let server: RunningServer | undefined;
  const world = { url: "", tenant: "" };
  beforeAll(async () => {
    vi.stubEnv("RATE_LIMITS", "off");
    vi.stubEnv("SIGN_UP", "on");
    vi.stubEnv("SMTP_URL", "smtp://127.0.0.1:1");
    startLoggingRequests();
    const load = (file: string) => import(/* @vite-ignore */ file);
    const routes = await loadRoutes(join(projectRoot(), "app"), load);
    const forms = { header: postedFormHeader, isForm: isPublicForm, submit: submitPublicForm };
    const pages = withForms({ request: page }, forms, routes);
    server = await startServer({
      port: 0,
      routes,
      pages,
      limits: { anonymousPerMinute: 1_000_000 },
    });
    Object.assign(world, { url: server.url, tenant: await makeTenant() });
  });
  afterAll(async () => {
    await server?.close();
    vi.unstubAllEnvs();
  });
  return {
    world,
    send: (operation: string, sent?: Sent) => sendTo(world.url)(operation, sent),
    post: (path: string, fields: Headers, headers: Headers = {}) =>
      postTo(`${world.url}${path}`, fields, headers),
    person: (given = {}) =>
      makeUser(world.tenant, { password, roleIds: ["portal.default"], ...given }),
  };
}
