/** The change of a release to one configuration. */
export interface ReleaseEntry {
  key: string;
  previewId: string;
  stage: PreviewStage;
  /** The number of the revision that the release was created for. */
  version: number;
  /** The revision with the new stage, once the release is published. */
  publishedVersion?: number;
}

export const releaseStates = ["open", "scheduled", "published", "failed", "cancelled"] as const;
export type ReleaseState = (typeof releaseStates)[number];

/** The reason why a release was not published. */
export interface ReleaseProblem {
  /** Null if it is about the release as a whole. */
  key: string | null;
  code: string;
  detail: string;
}

/** A problem of a known field of a preview configuration. */
export interface PreviewProblem {
  /** A JSON Pointer. */
  pointer: string;
  detail: string;
}

export const previewStages = ["draft", "staged", "live"] as const;
export type PreviewStage = (typeof previewStages)[number];

/** The client or credential that wrote a revision. */
export const previewVias = ["portal", "session", "apiKey", "bearer", "release"] as const;
export type PreviewVia = (typeof previewVias)[number];
