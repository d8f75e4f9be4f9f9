/** Why nothing is sent to a destination: somebody disabled it, it failed for three days, or its URL answered 410. */
export const disabledReasons = ["by-user", "failing", "gone"] as const;

export const deliveryStates = ["pending", "delivered", "failed"] as const;

/** The most patterns of types that a webhook may name. */
export const maxTypes = 50;

/** The longest that the secret before a rotation may go on signing. */
export const maxOverlapDays = 7;

export const streamKinds = ["https", "syslog", "s3", "file"] as const;

export type StreamKind = (typeof streamKinds)[number];

/** What each kind needs, and what else it may have. */
export const streamFields = {
  https: { needs: ["url"], may: ["authorization", "ca"] },
  syslog: { needs: ["host"], may: ["port", "ca"] },
  s3: {
    needs: ["url", "region", "bucket", "accessKeyId", "secretAccessKey"],
    may: ["prefix", "every", "ca"],
  },
  file: { needs: ["folder"], may: [] },
} as const satisfies Record<StreamKind, { needs: readonly string[]; may: readonly string[] }>;

/** The longest that entries may be gathered for one object, in seconds. */
export const maxEverySeconds = 900;
