/** Why nothing is sent to a webhook: somebody disabled it, it failed for three days, or it answered 410. */
export const disabledReasons = ["by-user", "failing", "gone"] as const;

export const deliveryStates = ["pending", "delivered", "failed"] as const;

/** The most patterns of types that a webhook may name. */
export const maxTypes = 50;

/** The longest that the secret before a rotation may go on signing. */
export const maxOverlapDays = 7;
