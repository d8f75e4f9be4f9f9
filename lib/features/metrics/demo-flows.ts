import { hourMs } from "./grains";

/** One operation of the demo and its calls. */
export interface Flow {
  domain: string;
  endpoint: string;
  /** Calls a minute at noon, by status. */
  rates: Record<string, number>;
  ms: number;
  by: "key" | "session" | "customer" | "anonymous";
  isOfSite: boolean;
  /** How long before the end the calls stopped, for no known reason. */
  silentMs?: number;
}

/** The calls that the demo tenant receives in an ordinary hour. */
export const demoFlows: readonly Flow[] = [
  {
    domain: "user",
    endpoint: "GET /v1/user/list",
    rates: { 200: 18, 401: 0.4 },
    ms: 9,
    by: "key",
    isOfSite: false,
  },
  {
    domain: "user",
    endpoint: "GET /v1/user/session",
    rates: { 200: 22 },
    ms: 3,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "user",
    endpoint: "POST /v1/user/session-login",
    rates: { 200: 3, 401: 0.7 },
    ms: 85,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "user",
    endpoint: "GET /v1/user/{id}",
    rates: { 200: 9, 404: 0.3 },
    ms: 5,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "customer",
    endpoint: "POST /v1/customer/login/anonymous-token",
    rates: { 200: 140 },
    ms: 4,
    by: "anonymous",
    isOfSite: true,
  },
  {
    domain: "customer",
    endpoint: "POST /v1/customer/login/token",
    rates: { 200: 34, 401: 5 },
    ms: 92,
    by: "anonymous",
    isOfSite: true,
  },
  {
    domain: "customer",
    endpoint: "POST /v1/customer/login/refresh-token",
    rates: { 200: 61, 401: 1 },
    ms: 7,
    by: "customer",
    isOfSite: true,
  },
  {
    domain: "customer",
    endpoint: "GET /v1/customer/profile",
    rates: { 200: 210, 401: 3 },
    ms: 6,
    by: "customer",
    isOfSite: true,
  },
  {
    domain: "pim",
    endpoint: "GET /pim/preview/{key}/configuration",
    rates: { 200: 46, 304: 30 },
    ms: 5,
    by: "key",
    isOfSite: true,
  },
  {
    domain: "pim",
    endpoint: "PUT /pim/preview/{key}/configuration",
    rates: { 200: 7, 412: 0.3 },
    ms: 14,
    by: "key",
    isOfSite: true,
  },
  {
    domain: "api-metrics",
    endpoint: "GET /v1/api-metrics/metrics/timeserie-counts",
    rates: { 200: 6 },
    ms: 11,
    by: "session",
    isOfSite: false,
  },
  {
    domain: "orders",
    endpoint: "POST /orders/import",
    rates: { 200: 4 },
    ms: 40,
    by: "key",
    isOfSite: false,
    silentMs: 2 * hourMs,
  },
];
