import { portalCookieName } from "@/lib/access/portal-cookie";
import { countAddressRequest } from "@/lib/access/rate-limits";
import { acceptByProvider } from "@/lib/features/connections/accept-invitation";
import type { Client, Identified } from "@/lib/features/connections/code-exchange";
import { SignInFailure } from "@/lib/features/connections/failure";
import { linkIdentity } from "@/lib/features/connections/identities";
import { stepUpByProvider } from "@/lib/features/connections/provider-step-up";
import { type ConnectionRow, keyOfProviderId } from "@/lib/features/connections/rows";
import { signInByProvider } from "@/lib/features/connections/sign-in";
import { noteOffer, signOutAddressOf } from "@/lib/features/connections/sign-out-there";
import { tryOut } from "@/lib/features/connections/trial";
import { errorResponse } from "@/lib/http/error-response";
import { checkSameOrigin, originOf } from "@/lib/http/origin";
import { jsonResponse, redirectResponse } from "@/lib/http/responses";
import { isRejection } from "@/lib/protocol/errors";
import { begin } from "./connection-begin";
import {
  actorOf,
  callerOf,
  clientOf,
  type Failed,
  failureCookie,
  getUsable,
  outcomePath,
  outcomeSeconds,
  type Place,
} from "./connection-flow";
import { openCookie, sealedCookie, withoutCookie } from "./cookies";
import { askNextAuth, providerOptions } from "./provider-flow";
import type { Flow, SignInOutcome } from "./values";

/**
 * Responds with the URL for a sign-out at the provider: the provider's, or the page that reports a failure. The portal ends the local
 * session in either case.
 */
async function leave(request: Request, place: Place): Promise<Response> {
  const origin = originOf(request.headers);
  try {
    checkSameOrigin(request);
    await countAddressRequest("login", origin.address);
    const caller = await callerOf(request.headers, place.tenantId);
    return jsonResponse({ url: await signOutAddressOf(caller, place.connectionId) });
  } catch (error) {
    if (isRejection(error)) return errorResponse(error, request);
    const failure = new SignInFailure("still-signed-in", undefined, error);
    const cookie = await failureCookie(failure, { place, intent: "sign-in", origin });
    return jsonResponse({ url: outcomePath }, [cookie]);
  }
}

interface Returning {
  flow: Flow;
  connection: ConnectionRow;
  client: Client;
  request: Request;
}

/** The result of a successful return. */
interface Ended {
  path: string;
  session?: { tenant: string; sessionId: string };
  cookie?: string;
}

/** Completes the intent of the flow. Throws SignInFailure. */
async function finish(returning: Returning, identified: Identified): Promise<Ended> {
  const { flow, connection, client, request } = returning;
  const { tenantId, intent, userId, next, invitation = "", acting, startedAt } = flow;
  const signIn = { connection, client, identified, origin: originOf(request.headers) };
  if (intent === "sign-in" || intent === "accept") {
    const { sessionId } = await (intent === "accept"
      ? acceptByProvider(signIn, invitation)
      : signInByProvider(signIn));
    await noteOffer(connection, client.metadata);
    return { path: next ?? `/t/${tenantId}`, session: { tenant: tenantId, sessionId } };
  }
  const caller = await actorOf(intent, request.headers, acting).catch((error: unknown) => {
    throw isRejection(error) ? new SignInFailure("session-over", error.code) : error;
  });
  if (!caller || caller.userId !== userId) throw new SignInFailure("session-over");
  if (intent === "link") {
    await linkIdentity(caller, signIn);
    return { path: `/t/${tenantId}/me#linked-providers` };
  }
  const said = { name: connection.name, tenant: tenantId, requestId: signIn.origin.requestId };
  if (intent === "step-up") await stepUpByProvider(caller, signIn, startedAt);
  const outcome: SignInOutcome =
    intent === "step-up"
      ? { is: "stepped-up", ...said }
      : { is: "trial", trial: await tryOut(signIn), ...said };
  return { path: outcomePath, cookie: await sealedCookie("outcome", outcome, outcomeSeconds) };
}

async function takeBack(returning: Returning, query: URLSearchParams): Promise<Response> {
  const { flow, connection, client, request } = returning;
  let [ended, failure]: [Ended | undefined, unknown] = [undefined, undefined];
  const onError = (error: unknown) => {
    failure = error;
  };
  const onIdentified = async (identified: Identified) => {
    ended = await finish(returning, identified).catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    return ended?.session;
  };
  const { headers } = request;
  const options = providerOptions({ connection, client, headers, onIdentified, onError });
  const { cookies } = await askNextAuth(
    {
      ...{ action: "callback", method: "GET", body: {}, headers },
      query: Object.fromEntries(query),
    },
    `${flow.tenantId}.${flow.connectionId}`,
    options,
  );
  const done = ended as Ended | undefined;
  if (!done) throw failure ?? new SignInFailure("not-begun");
  const isKept = cookies.some((cookie) => cookie.startsWith(portalCookieName()));
  if (done.session && !isKept) throw new Error("next-auth did not keep the session.");
  const more = done.cookie === undefined ? [] : [done.cookie];
  return redirectResponse(done.path, [...cookies, ...more, withoutCookie("flow")]);
}

/** The flow that this browser started, if the callback belongs to it. Throws SignInFailure. */
async function flowOf(request: Request, place: Place, query: URLSearchParams): Promise<Flow> {
  const flow = (await openCookie("flow", request.headers)) as Flow | undefined;
  const isSame =
    flow?.tenantId === place.tenantId &&
    flow.connectionId === place.connectionId &&
    flow.state === query.get("state");
  if (!flow || !isSame) throw new SignInFailure("not-begun");
  return flow;
}

async function comeBack(request: Request, place: Place): Promise<Response> {
  const origin = originOf(request.headers);
  const query = new URL(request.url).searchParams;
  const failed: Failed = { place, intent: "sign-in", origin };
  try {
    await countAddressRequest("login", origin.address);
    const flow = await flowOf(request, place, query);
    failed.intent = flow.intent;
    const rejection = query.get("error");
    if (rejection !== null)
      throw new SignInFailure("refused", /^[a-z_]{1,64}$/.test(rejection) ? rejection : undefined);
    const connection = await getUsable(place, flow.intent);
    failed.name = connection.name;
    const client = await clientOf(connection);
    return await takeBack({ flow, connection, client, request }, query);
  } catch (error) {
    if (isRejection(error)) return errorResponse(error, request);
    return redirectResponse(outcomePath, [
      await failureCookie(error, failed),
      withoutCookie("flow"),
    ]);
  }
}

/** Handles next-auth's requests for connections; undefined for all others. */
export async function answerConnection(
  request: Request,
  [action, providerId]: readonly string[],
): Promise<Response | undefined> {
  const place = keyOfProviderId(providerId);
  if (!place) return undefined;
  if (action === "signout" && request.method === "POST") return leave(request, place);
  if (action !== "signin" && action !== "callback") return undefined;
  if (action === "callback") return comeBack(request, place);
  if (request.method === "POST") return begin(request, place);
  return redirectResponse(`/sign-in?tenant=${place.tenantId}`);
}
