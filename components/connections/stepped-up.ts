/*
 * The window in which somebody signed in again at a provider, and the page that waits for it. They cannot name each other: a provider
 * may have cut the reference between them.
 */

const channelName = "gatehouse.stepped-up";

/** Called by the window, once the service has noted the proof. */
export function announceStepUp(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage("done");
  channel.close();
}

/** Calls back when some window has announced it. Answers how to stop. */
export function followStepUp(onDone: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = onDone;
  return () => channel.close();
}
