/** The time for Undo: the user needs to read the message and to decide. */
export const undoMs = 10_000;
