import { countAddressRequest } from "@/lib/access/rate-limits";
import { assertSteppedUp } from "@/lib/access/step-up";
import { SignInFailure } from "@/lib/features/connections/failure";
import { errorResponse } from "@/lib/http/error-response";
import { checkSameOrigin, originOf } from "@/lib/http/origin";
import { jsonResponse } from "@/lib/http/responses";
import { isRejection } from "@/lib/protocol/errors";
import {
  actorOf,
  clientOf,
  failureCookie,
  getUsable,
  outcomePath,
  type Place,
} from "./connection-flow";
import { sealedCookie } from "./cookies";
import { askNextAuth, providerOptions } from "./provider-flow";
import { type Flow, type FlowIntent, ownPath } from "./values";

const flowSeconds = 15 * 60;
/** Longer than the token of any invitation link. */
const maxInvitationLength = 128;

const intents: readonly string[] = [
  "sign-in",
  "accept",
  "link",
  "try",
  "step-up",
] satisfies FlowIntent[];
const isIntent = (text: string): text is FlowIntent => intents.includes(text);

/** The parameters that are forwarded to the provider: any other could change the meaning of the request. */
function passedOn(form: URLSearchParams, intent: FlowIntent): Record<string, string> {
  // The provider authenticates the user again, and reports when.
  if (intent === "step-up") return { prompt: "login", max_age: "0" };
  const [hint, prompt] = [form.get("login_hint") ?? "", form.get("prompt") ?? ""];
  const isPrompt = ["login", "select_account", "consent"].includes(prompt);
  return {
    ...(hint !== "" && hint.length <= 256 && { login_hint: hint }),
    ...(isPrompt && { prompt }),
  };
}

async function sendToProvider(
  request: Request,
  form: URLSearchParams,
  started: Pick<Flow, "intent" | "userId" | "acting"> & { place: Place },
): Promise<Response> {
  const { place, intent, userId, acting } = started;
  const startedAt = Math.floor(Date.now() / 1000);
  const connection = await getUsable(place, intent);
  const client = await clientOf(connection);
  const options = providerOptions({
    ...{ connection, client, headers: request.headers, params: passedOn(form, intent) },
    onIdentified: async () => undefined,
    onError: () => undefined,
  });
  const providerId = `${place.tenantId}.${place.connectionId}`;
  const body = { csrfToken: form.get("csrfToken") ?? "", json: "true", callbackUrl: "/" };
  const asked = {
    action: "signin",
    method: "POST",
    query: {},
    body,
    headers: request.headers,
  } as const;
  const { location, cookies } = await askNextAuth(asked, providerId, options);
  const url = location !== undefined && URL.canParse(location) ? new URL(location) : undefined;
  const state = url?.searchParams.get("state");
  if (!url || !state || url.origin !== new URL(client.metadata.authorizationEndpoint).origin)
    throw new SignInFailure("not-begun");
  const next = ownPath(form.get("next"));
  const invitation = form.get("invitation")?.slice(0, maxInvitationLength);
  const flow: Flow = { ...place, intent, state, next, invitation, userId, acting, startedAt };
  return jsonResponse({ url: url.href }, [
    ...cookies,
    await sealedCookie("flow", flow, flowSeconds),
  ]);
}

/** Starts a sign-in at the provider: responds with its URL, and sets the cookies that the callback is bound to. */
export async function begin(request: Request, place: Place): Promise<Response> {
  const origin = originOf(request.headers);
  const form = new URLSearchParams(await request.text());
  const given = form.get("intent") ?? "sign-in";
  const intent = isIntent(given) ? given : "sign-in";
  try {
    checkSameOrigin(request);
    await countAddressRequest("login", origin.address);
    const acting = (intent === "step-up" && form.get("acting")) || place.tenantId;
    const caller = await actorOf(intent, request.headers, acting);
    if (caller && intent === "link") await assertSteppedUp(caller, "always");
    const started = { place, intent, userId: caller?.userId, acting };
    return await sendToProvider(request, form, started);
  } catch (error) {
    if (isRejection(error)) return errorResponse(error, request);
    return jsonResponse({ url: outcomePath }, [
      await failureCookie(error, { place, intent, origin }),
    ]);
  }
}
