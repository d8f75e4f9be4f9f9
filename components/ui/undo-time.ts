/** What can be undone is read first, and decided on: that takes longer than reading. */
export const undoMs = 10_000;
