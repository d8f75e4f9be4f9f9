import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";

/** Throws 403 when a browser sent the portal's cookie along with a request that the portal did not make. */
export function checkSameOrigin(request: Request): void {
  const fetchSite = request.headers.get("sec-fetch-site");
  const isRead = request.method === "GET" || request.method === "HEAD";
  const isAllowed = isRead
    ? fetchSite !== "cross-site"
    : fetchSite === "same-origin" || request.headers.get("origin") === publicUrl();
  if (!isAllowed)
    throw new ApiError(
      "request.cross-origin",
      "This request came from another site. Make it from the portal, or with an API key.",
      publicUrl(),
    );
}
