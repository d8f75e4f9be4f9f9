import { type CustomerCredential, CustomerTokens, type TokenPair } from "./customer-tokens.js";
import { operations } from "./generated-groups.js";
import type { CallOptions, Operation } from "./methods.js";
import { withRetries } from "./retries.js";
import { locate, type Prepared, type RawResponse, sendOnce } from "./transport.js";

/** One of the credentials; without any only public operations work. */
interface Credentials {
  apiKey?: string | undefined;
  sessionId?: string | undefined;
  /** A management bearer, or an anonymous token. */
  token?: string | undefined;
  customer?: CustomerCredential | undefined;
}

export interface ClientOptions extends Credentials {
  /** The address of the installation, such as https://gatehouse.example. */
  url: string;
  tenant: string;
  site?: string | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** The method, path and options of an operation, from its line in the generated table: "POST /v1/... repeatable". */
export interface Declared {
  operation: Operation;
  method: string;
  template: string;
  isPaged: boolean;
  /** Whether it takes an Idempotency-Key. */
  isRepeatable: boolean;
  /** The media type of its body. */
  mediaType: string;
}

export function declaredOf(text: string): Declared {
  const [method = "", template = "", trait, mediaType = "application/json"] = text.split(" ");
  return {
    operation: `${method} ${template}` as Operation,
    method,
    template,
    isPaged: trait === "paged",
    isRepeatable: trait === "repeatable",
    mediaType,
  };
}

const table: ReadonlyMap<string, Declared> = new Map(
  Object.values(operations)
    .flatMap((group) => Object.values<string>(group))
    .map((text) => declaredOf(text))
    .map((declared) => [declared.operation, declared]),
);

/** Throws TypeError for an operation that this version of the client does not know. */
export function byOperation(operation: Operation): Declared {
  const declared = table.get(operation);
  if (!declared) throw new TypeError(`there is no operation ${operation}`);
  return declared;
}

export type Values = Readonly<Record<string, unknown>>;
export interface Sending extends CallOptions {
  accept?: string | undefined;
}

const acceptJson = "application/problem+json, application/json";

/** POSTs that are safe to repeat; the others need an Idempotency-Key. */
const harmless =
  /^POST \/v1\/(access\/|user\/session-login|customer\/login\/|user\/api-keys\/report-leak)/;

const bodyText = (body: unknown, mediaType: string): string => {
  if (typeof body === "string") return body;
  if (mediaType.endsWith("ndjson"))
    return Array.from(body as Iterable<unknown>, (one) => `${JSON.stringify(one)}\n`).join("");
  return mediaType.endsWith("urlencoded")
    ? String(new URLSearchParams(body as Record<string, string>))
    : JSON.stringify(body);
};

/** Sends requests with the credential of one client. */
export class Caller {
  readonly options: ClientOptions;
  private readonly tokens: CustomerTokens | undefined;

  constructor(options: ClientOptions) {
    this.options = options;
    this.tokens = options.customer && new CustomerTokens(options.customer);
  }

  private headersFor({ isRepeatable }: Declared, sending: Sending, accessToken?: string): Headers {
    const { tenant, site, apiKey, sessionId, token } = this.options;
    const bearer = accessToken ?? token;
    const headers = {
      Accept: sending.accept ?? acceptJson,
      "X-Service-Tenant": tenant,
      "X-Service-Site": sending.site ?? site,
      "X-Service-API-Key": apiKey,
      "X-Service-Session-Id": sessionId,
      Authorization: bearer && `Bearer ${bearer}`,
      "If-Match": sending.ifMatch,
      "If-None-Match": sending.ifNoneMatch,
      "Idempotency-Key": isRepeatable
        ? (sending.idempotencyKey ?? crypto.randomUUID())
        : sending.idempotencyKey,
    };
    const given = Object.entries(headers).filter(
      ([, value]) => value !== undefined && value !== "",
    );
    return new Headers(given as [string, string][]);
  }

  private async sendAs(declared: Declared, input: Values, sending: Sending, accessToken?: string) {
    const { method, template, operation, isRepeatable, mediaType } = declared;
    const { url, fetch: send = fetch, timeoutMs, maxRetries = 3 } = this.options;
    const [path, body] = locate(template, input);
    const headers = this.headersFor(declared, sending, accessToken);
    const prepared: Prepared = { method, url: `${url.replace(/\/+$/, "")}${path}`, headers };
    if (body !== undefined) {
      prepared.body = bodyText(body, mediaType);
      headers.set("Content-Type", mediaType);
    }
    const limits = { signal: sending.signal, timeoutMs: sending.timeoutMs ?? timeoutMs };
    return withRetries(() => sendOnce(prepared, send, limits), {
      maxRetries: sending.maxRetries ?? maxRetries,
      mayRepeat: isRepeatable || !/^(POST|PATCH)$/.test(method) || harmless.test(operation),
      signal: sending.signal,
    });
  }

  send(declared: Declared, input: Values = {}, sending: Sending = {}): Promise<RawResponse> {
    if (!this.tokens) return this.sendAs(declared, input, sending);
    const repeated = { idempotencyKey: crypto.randomUUID(), ...sending };
    return this.tokens.use(
      (accessToken) =>
        this.sendAs(declared, input, declared.isRepeatable ? repeated : sending, accessToken),
      (refreshToken) => this.exchangeToken(refreshToken),
    );
  }

  private async exchangeToken(refreshToken: string): Promise<TokenPair> {
    const { customer: _, ...others } = this.options;
    const declared = byOperation("POST /v1/customer/login/refresh-token");
    const { text } = await new Caller(others).send(declared, { body: { refreshToken } });
    return JSON.parse(text);
  }
}
