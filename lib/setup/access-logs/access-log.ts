import { operations } from "@/lib/catalogue/operations";
import { domainOf } from "@/lib/features/metrics/call-labels";
import { minuteMs } from "@/lib/features/metrics/grains";
import { pathOf } from "@/lib/protocol/endpoint";
import { parseInstant } from "@/lib/protocol/formats";
import { perProcess } from "@/lib/protocol/per-process";

/** The parts of an access log line that are counted. */
export interface LogLine {
  /** The start of its minute, in milliseconds since the epoch. */
  at: number;
  method: string;
  path: string;
  status: number;
  ms: number | undefined;
}

const combined =
  /^\S+ \S+ .*?\[(\d\d\/\w{3}\/\d{4}:\d\d:\d\d):\d\d ([+-]\d{4})\] "([A-Z]{1,16}) (\S+)[^"]*" (\d{3}) \S+(?: "(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*"(?: ([\d.]+))?)?/;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const minutes = perProcess("access-log-minutes", () => new Map<string, number>());

/** "21/Nov/2026:14:05" and "+0100"; a log has each minute many times, so the results are cached. */
function minuteOf(text: string, offset: string): number {
  const key = text + offset;
  const known = minutes().get(key);
  if (known !== undefined) return known;
  const [day = "", month = "", year = "", hour = "", minute = ""] = text.split(/[/:]/);
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, "0");
  const found =
    parseInstant(
      `${year}-${monthNumber}-${day}T${hour}:${minute}:00${offset.slice(0, 3)}:${offset.slice(3)}`,
    )?.getTime() ?? Number.NaN;
  if (minutes().size > 20_000) minutes().clear();
  minutes().set(key, found);
  return found;
}

function readCombined(line: string): LogLine | undefined {
  const match = combined.exec(line);
  if (!match) return undefined;
  const [, time = "", offset = "", method = "", path = "", status = "", seconds] = match;
  const at = minuteOf(time, offset);
  if (Number.isNaN(at)) return undefined;
  return {
    at,
    method,
    path,
    status: Number(status),
    ms: seconds === undefined ? undefined : Number(seconds) * 1000,
  };
}

const names = {
  time: ["time", "timestamp", "@timestamp", "time_iso8601", "ts"],
  method: ["method", "request_method"],
  path: ["path", "uri", "request_uri", "url"],
  status: ["status", "status_code", "statusCode"],
  ms: ["duration_ms", "durationMs", "ms", "responseTime"],
  seconds: ["request_time", "duration"],
} as const;

type Members = Record<string, unknown>;
const member = (value: Members, field: keyof typeof names) =>
  names[field].map((name) => value[name]).find((found) => found !== undefined);

function timeOf(value: unknown): number {
  if (typeof value === "number") return value > 1e11 ? value : value * 1000;
  return typeof value === "string"
    ? (parseInstant(value.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))?.getTime() ?? Number.NaN)
    : Number.NaN;
}

function durationOf(value: Members): number | undefined {
  const [ms, seconds] = [Number(member(value, "ms")), Number(member(value, "seconds"))];
  return Number.isFinite(ms) ? ms : Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

function readJson(line: string): LogLine | undefined {
  let value: Members;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const [requestMethod, requestPath] =
    typeof value.request === "string" ? value.request.split(" ") : [];
  const [method, path] = [
    member(value, "method") ?? requestMethod,
    member(value, "path") ?? requestPath,
  ];
  const [status, time] = [Number(member(value, "status")), timeOf(member(value, "time"))];
  const isWhole =
    typeof method === "string" &&
    /^[A-Z]{1,16}$/.test(method) &&
    typeof path === "string" &&
    status >= 100 &&
    status <= 599;
  if (!isWhole || Number.isNaN(time)) return undefined;
  return {
    at: Math.floor(time / minuteMs) * minuteMs,
    method,
    path,
    status,
    ms: durationOf(value),
  };
}

/** Parses a line in the Combined (or Common) format, or as JSON. Undefined if it is neither. */
export const readLine = (line: string): LogLine | undefined =>
  line.startsWith("{") ? readJson(line) : readCombined(line);

const isId = (segment: string) =>
  /^\d+$/.test(segment) ||
  /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(segment) ||
  /^\w+_[0-9a-z]{26}$/.test(segment) ||
  segment.length > 40;

const templates = perProcess("access-log-templates", () =>
  [...new Set(operations.map(pathOf))]
    .sort((a, b) => a.split("{").length - b.split("{").length)
    .map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    })),
);

const knownTemplate = (path: string): string | undefined =>
  templates().find(({ pattern }) => pattern.test(path))?.template;

interface Place {
  domain: string;
  template: string;
}

const places = perProcess("access-log-places", () => new Map<string, Place>());

/** The domain and the template of a raw address: those of an operation, else the address without segments that look like ids. */
export function placeOf(address: string): Place {
  const path = (address.split(/[?#]/)[0] ?? "").replace(/^https?:\/\/[^/]+/, "") || "/";
  const known = places().get(path);
  if (known) return known;
  const guessed = path
    .split("/")
    .map((segment) => (isId(segment) ? "{id}" : segment))
    .join("/");
  const found = {
    domain: domainOf(path).slice(0, 256),
    template: (knownTemplate(path) ?? guessed).slice(0, 240),
  };
  if (places().size > 20_000) places().clear();
  places().set(path, found);
  return found;
}
