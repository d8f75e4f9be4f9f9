import { isIP } from "node:net";
import { FastResponse } from "srvx/node";
import { accessVersions } from "@/lib/database/global";
import { failure, requestIdOf } from "@/lib/http/failure";
import { ApiError } from "@/lib/protocol/errors";
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

/** Prometheus' own request: from this machine, and not passed on by a proxy that runs on it. */
export const measurements = plain(async ({ headers }) => {
  const isForwarded = headers.has("x-forwarded-for") || headers.has("forwarded");
  const isLocal =
    globalThis.gatehouseDoor === true && isLoopback(headers.get("x-gatehouse-peer") ?? "");
  if (!isLocal || isForwarded)
    throw new ApiError("request.not-found", "There is nothing at this address.");
  return exposition();
});
