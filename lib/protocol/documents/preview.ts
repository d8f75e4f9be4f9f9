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
