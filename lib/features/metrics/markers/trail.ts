import { type BriefEntry, entriesBetween } from "@/lib/features/audit/entries";
import type { Marker } from "./contract";

interface Fact {
  kind: "api-key" | "preview";
  titleOf: (name: string) => string;
}

const ofKey = (verb: string): Fact => ({
  kind: "api-key",
  titleOf: (name) => `API key ${name} ${verb}`,
});
const ofPreview = (verb: string): Fact => ({
  kind: "preview",
  titleOf: (name) => `Preview ${name} ${verb}`,
});

/** Audit actions that may explain a change in a chart: changes of the callers and of the content served. */
const facts: Record<string, Fact> = {
  "api-key.created": ofKey("created"),
  "api-key.rotated": ofKey("rotated"),
  "api-key.suspended": ofKey("suspended"),
  "api-key.resumed": ofKey("resumed"),
  "api-key.revoked": ofKey("revoked"),
  "preview.created": ofPreview("created"),
  "preview.updated": ofPreview("updated"),
  "preview.revision-restored": ofPreview("restored"),
  "release.published": {
    kind: "preview",
    titleOf: (name) => `Release ${name} published`,
  },
};

interface Wanted {
  tenantId: string;
  from: Date;
  to: Date;
  kind: string | undefined;
  before: number | undefined;
  limit: number;
}

export type PlacedMarker = Marker & { seq: number };

function toMarker({ id, seq, at, action, target }: BriefEntry): PlacedMarker[] {
  const fact = facts[action];
  if (!fact) return [];
  const title = fact.titleOf(target.name ?? target.id);
  const marker = { id, at: at.toISOString(), until: null, title, kind: fact.kind, url: null };
  return [{ ...marker, source: "trail" as const, author: null, seq }];
}

/** Markers from the audit trail, newest first: the action and its target, never its actor. */
export async function trailMarkers({ kind, ...range }: Wanted): Promise<PlacedMarker[]> {
  const actions = Object.keys(facts).filter(
    (action) => kind === undefined || facts[action]?.kind === kind,
  );
  if (actions.length === 0) return [];
  return (await entriesBetween({ ...range, actions })).flatMap(toMarker);
}
