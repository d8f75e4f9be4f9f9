import { isIP } from "node:net";
import { FastResponse } from "srvx/node";
import { accessVersions } from "@/lib/database/global";
import { failure, requestIdOf } from "@/lib/http/failure";
import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/public-url";
import { isStopping } from "@/lib/server/stopping";
import { exposition } from "./measures";

type Answering = (request: Request) => Promise<Response>;

function plain(
  make: (request: Request) => Promise<{ contentType: string; text: string }>,
): Answering {
  return async (request) => {
    try {
      const { contentType, text } = await make(request);
      const headers = {
        "Content-Type": contentType,
        "Cache-Control": "no-store",
        "X-Service-Request-Id": requestIdOf(request.headers),
      };
      return new FastResponse(text, { status: 200, headers });
    } catch (error) {
      return failure(error, request);
    }
  };
}

const state = (status: string) => ({
  contentType: "application/json",
  text: JSON.stringify({ status }),
});

/** Whether the process answers at all. */
export const liveness = plain(async () => state("alive"));

/** Whether requests should be sent here: the store answers and nobody asked the process to stop. */
export const readiness = plain(async () => {
  if (isStopping())
    throw new ApiError("server.stopping", "The server is stopping. Another instance will answer.");
  await accessVersions([]);
  return state("ready");
});

const isLoopback = (address: string) =>
  address === "::1" || (isIP(address) === 4 && address.startsWith("127."));

const localName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** What proxies add to a request that they pass on. */
const passedOn =
  /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/;

/** A proxy on this machine that adds none of its headers still passes on the name by which it was asked, unless it was told not to. */
const isDirect = (headers: Headers) =>
  localName.test(headers.get("host") ?? "") &&
  ![...headers.keys()].some((name) => passedOn.test(name));

/** Prometheus' own request: from this machine, and not passed on by a proxy that runs on it. */
export const measurements = plain(async ({ headers }) => {
  const isLocal =
    globalThis.gatehouseDoor === true && isLoopback(headers.get("x-gatehouse-peer") ?? "");
  if (!isLocal || !isDirect(headers))
    throw new ApiError("request.not-found", "There is nothing at this address.");
  return exposition();
});

const expiresAfterMs = 180 * 24 * 60 * 60 * 1000;

/** `mailto:`, `https:` and `tel:` addresses, separated by commas; an e-mail address alone is one too. */
function contacts(): string[] {
  const given = (process.env.SECURITY_CONTACT ?? "").split(",").map((one) => one.trim());
  const uris = given.map((one) => (/^[^\s@:/]+@[^\s@/]+$/.test(one) ? `mailto:${one}` : one));
  return uris.filter((uri) => /^(?:mailto:|https:\/\/|tel:)[!-~]+$/.test(uri));
}

/** RFC 9116: whom to tell of a vulnerability. 404 unless SECURITY_CONTACT is set. */
export const securityTxt = plain(async () => {
  const lines = contacts().map((uri) => `Contact: ${uri}`);
  if (lines.length === 0)
    throw new ApiError("request.not-found", "There is nothing at this address.");
  const expires = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 + expiresAfterMs);
  const canonical = `Canonical: ${publicUrl()}/.well-known/security.txt`;
  const text = [
    ...lines,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    canonical,
  ];
  return { contentType: "text/plain; charset=utf-8", text: `${text.join("\n")}\n` };
});
