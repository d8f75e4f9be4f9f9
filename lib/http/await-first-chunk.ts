/**
 * Reads the first part of a stream before anything is sent: what fails until then is answered with its own status, and not
 * by a connection that breaks off.
 */
export async function awaitFirstChunk<Part>(
  parts: AsyncIterable<Part>,
): Promise<AsyncIterator<Part>> {
  const iterator = parts[Symbol.asyncIterator]();
  let first: IteratorResult<Part> | undefined = await iterator.next();
  return {
    async next() {
      const given = first ?? (await iterator.next());
      first = undefined;
      return given;
    },
    return: async (value) => (await iterator.return?.(value)) ?? { done: true, value },
  };
}
