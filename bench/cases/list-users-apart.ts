import type { Case } from "@/bench/case";
import { writeCursor } from "@/lib/protocol/parameters";

/** Each connection requests the page after another login, so that no two can share a result of the store. */
const pages = Array.from({ length: 32 }, (_, page) =>
  writeCursor([`user-${String(page * 20).padStart(5, "0")}`, ""]),
);

export const listUsersApart: Case = {
  name: "list-users-apart",
  title: "the same, each another page",
  request: ({ tenant, apiKey }) => ({
    method: "GET",
    path: pages.map((cursor) => `/v1/user/list?limit=20&cursor=${cursor}`),
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-API-Key": apiKey,
      Accept: "application/json",
    },
  }),
};
