/** What a release does to one configuration. */
export interface ReleaseEntry {
  key: string;
  previewId: string;
  stage: PreviewStage;
  /** The number of the revision that the release was made for. */
  version: number;
  /** The revision that has the stage since the release was published. */
  publishedVersion?: number;
}

export const releaseStates = ["open", "scheduled", "published", "failed", "cancelled"] as const;
export type ReleaseState = (typeof releaseStates)[number];

/** Why a release could not be published. */
export interface ReleaseProblem {
  /** Null where it is about the release as a whole. */
  key: string | null;
  code: string;
  detail: string;
}

/** What a known member of a preview configuration has wrong. */
export interface PreviewProblem {
  /** A JSON Pointer. */
  pointer: string;
  detail: string;
}

export const previewStages = ["draft", "staged", "live"] as const;
export type PreviewStage = (typeof previewStages)[number];

/** What a revision was written with. */
export const previewVias = ["portal", "session", "apiKey", "bearer", "release"] as const;
export type PreviewVia = (typeof previewVias)[number];
