import { redirect } from "next/navigation";
import type { NextRequest } from "next/server";
import { errorResponse } from "@/lib/http/error-response";
import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";

/** Whether next-auth accepts the text as a redirect target: an http or https URL, or a path of this service. */
function isAddress(url: string): boolean {
  const base = url.startsWith("/") ? publicUrl() : undefined;
  return URL.canParse(url, base) && /^https?:$/.test(new URL(url, base).protocol);
}

/** Whether the query or next-auth's cookie has an invalid `callbackUrl`. */
function hasInvalidCallbackUrl({ cookies, nextUrl }: NextRequest): boolean {
  const kept = cookies.getAll().filter(({ name }) => name.endsWith("next-auth.callback-url"));
  const given = [...nextUrl.searchParams.getAll("callbackUrl"), ...kept.map(({ value }) => value)];
  return !given.every((url) => url === "" || isAddress(url));
}

/** Whether a body is declared as JSON but is no object. */
async function hasInvalidJson(request: NextRequest): Promise<boolean> {
  const isJson = request.headers.get("content-type")?.includes("application/json");
  if (request.method !== "POST" || !request.body || !isJson) return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body !== "object" || body === null;
}

/** The response to a request that next-auth would answer with 500; undefined for others. Redirects a GET of a form's target to the form. */
export async function answerInvalidAuthRequest(
  request: NextRequest,
  [action]: readonly string[],
): Promise<Response | undefined> {
  if (hasInvalidCallbackUrl(request)) {
    const detail = "callbackUrl is not a URL.";
    const error = new ApiError("request.validation-failed", detail, "?callbackUrl");
    return errorResponse(error, request);
  }
  if (await hasInvalidJson(request)) {
    const error = new ApiError("request.invalid-json", "The body must be a JSON object.");
    return errorResponse(error, request);
  }
  const isPage = action === "callback" || action === "error";
  if (isPage && request.method !== "POST") redirect("/sign-in");
  return undefined;
}
