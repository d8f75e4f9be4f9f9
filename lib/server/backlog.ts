/**
 * Connections that wait to be accepted. Of more than these the client repeats its attempt after 1, 3, 7 and 15 seconds: a burst of a
 * thousand would find the default of 511 full. Each listener on a copy of the socket sets it again, because the last value holds for all of them.
 */
export const backlog = 4096;
