/** Why a destination is disabled: by a user, after three days of failures, or because its URL returned 410. */
export const disabledReasons = ["by-user", "failing", "gone"] as const;

export const deliveryStates = ["pending", "delivered", "failed"] as const;

/** The most patterns of types that a webhook may name. */
export const maxTypes = 50;

/** The maximum overlap in which the previous secret also signs, in days. */
export const maxOverlapDays = 7;

export const streamKinds = ["https", "syslog", "s3", "file"] as const;

export type StreamKind = (typeof streamKinds)[number];

/** The required and optional fields of each kind. */
export const streamFields = {
  https: { needs: ["url"], may: ["authorization", "ca"] },
  syslog: { needs: ["host"], may: ["port", "ca"] },
  s3: {
    needs: ["url", "region", "bucket", "accessKeyId", "secretAccessKey"],
    may: ["prefix", "every", "ca"],
  },
  file: { needs: ["folder"], may: [] },
} as const satisfies Record<StreamKind, { needs: readonly string[]; may: readonly string[] }>;

/** The maximum interval of entries in one object, in seconds. */
export const maxEverySeconds = 900;
