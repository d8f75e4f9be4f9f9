import { X509Certificate } from "node:crypto";
import { isIPv6 } from "node:net";
import type { z } from "zod";
import { maxEverySeconds, type StreamKind, streamFields } from "@/lib/features/destinations/values";
import { urlProblem } from "@/lib/features/events/delivery/target";
import { StreamSettings } from "@/lib/protocol/documents/delivery";
import { invalid } from "@/lib/protocol/errors";
import { setting } from "@/lib/protocol/settings";
import type { AuditStreamChange } from "./contract";
import type { StreamSecrets } from "./rows";
import { syslogAddress } from "./syslog";

type Given = Omit<z.output<typeof AuditStreamChange>, "description">;
type Problem = [field: string, words: string];

const secretFields: readonly string[] = [
  ...["authorization", "secretAccessKey"],
  ...["signing", "previousSigning", "previousValidTo"],
];

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function isCertificates(text: string): boolean {
  const found = text.match(certificate) ?? [];
  try {
    return found.length > 0 && found.every((one) => new X509Certificate(one).subject !== undefined);
  } catch {
    return false;
  }
}

/** A host in canonical form: decimal, octal and short forms of an address become dotted ones. Undefined for an invalid host. */
function plainHost(host: string): string | undefined {
  const url = `https://${isIPv6(host) ? `[${host}]` : host}/`;
  if (!/^[A-Za-z0-9.:_[\]-]+$/.test(host) || !URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  return port === "" ? hostname.replace(/^\[(.*)\]$/, "$1") : undefined;
}

/** The reason why the address in the settings is not allowed. */
function addressProblem(settings: StreamSettings): Problem | undefined {
  if (settings.kind === "file") return undefined;
  if (settings.kind === "syslog") {
    const isHost = plainHost(settings.host) !== undefined;
    const words = isHost ? urlProblem(syslogAddress(settings)) : "must be a name or an address";
    return words === undefined ? undefined : ["host", words];
  }
  const words = urlProblem(settings.url);
  if (words !== undefined) return ["url", words];
  const { pathname, search } = new URL(settings.url);
  const isBare = pathname === "/" && search === "";
  return settings.kind === "s3" && !isBare ? ["url", "must have no path and no query"] : undefined;
}

/** The problems of settings whose required fields are present. */
function problemsOf(settings: StreamSettings): Problem[] {
  const address = addressProblem(settings);
  const hasCa = "ca" in settings && settings.ca !== undefined;
  const found: (Problem | undefined)[] = [
    address,
    hasCa && !isCertificates(settings.ca ?? "") ? ["ca", "must be certificates in PEM"] : undefined,
    settings.kind === "s3" && (settings.every < 1 || settings.every > maxEverySeconds)
      ? ["every", "must be from PT1S to PT15M"]
      : undefined,
    settings.kind === "file" && setting("AUDIT_STREAM_FOLDER") === undefined
      ? ["kind", "cannot be file: the operator has not set AUDIT_STREAM_FOLDER"]
      : undefined,
  ];
  return found.flatMap((one) => (one ? [one] : []));
}

function reject(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw invalid(
    problems.map(([field, words]) => ({ pointer: `/${field}`, detail: `/${field} ${words}.` })),
  );
}

const present = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => (value ?? null) !== null));

interface Before {
  settings?: StreamSettings;
  secrets?: StreamSecrets | undefined;
}

/** The settings and secrets of a changed or new stream. Throws 400 for missing fields and for fields of another kind. */
export function changedSettings(kind: StreamKind, given: Given, before: Before = {}) {
  const { needs, may } = streamFields[kind];
  const known: readonly string[] = [...needs, ...may];
  const foreign = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !known.includes(name),
  );
  reject(foreign.map(([name]) => [name, `is not of a stream of the kind ${kind}`]));
  const defined = Object.entries(given).filter(([, value]) => value !== undefined);
  const after = present({
    ...before.settings,
    ...before.secrets,
    ...Object.fromEntries(defined),
  });
  const missing = needs.filter((name) => !(name in after));
  reject(missing.map((name) => [name, `is needed by a stream of the kind ${kind}`]));
  if (typeof after.host === "string") after.host = plainHost(after.host) ?? after.host;
  const settings = StreamSettings.parse({ ...after, kind });
  reject(problemsOf(settings));
  if ("url" in settings) settings.url = new URL(settings.url).href;
  const kept = Object.entries(after).filter(([name]) => secretFields.includes(name));
  return { settings, secrets: Object.fromEntries(kept) as StreamSecrets };
}
