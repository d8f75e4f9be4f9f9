/** The point under the cursor, shared by the charts of a page. It is not React state, so that charts do not render again when it moves. */
export interface CursorPlace {
  /** The index of the bucket. */
  index: number;
  /** The chart whose values are shown; the others show only the position. */
  chart: string;
  /** Whether keys moved it, not the pointer. */
  isByKey?: boolean;
}

export interface Cursor {
  get: () => CursorPlace | undefined;
  set: (place: CursorPlace | undefined) => void;
  subscribe: (changed: () => void) => () => void;
}

const isSame = (a: CursorPlace | undefined, b: CursorPlace | undefined) =>
  a?.index === b?.index && a?.chart === b?.chart && a?.isByKey === b?.isByKey;

export function createCursor(): Cursor {
  const listeners = new Set<() => void>();
  let current: CursorPlace | undefined;
  return {
    get: () => current,
    set: (place) => {
      if (isSame(current, place)) return;
      current = place;
      for (const changed of listeners) changed();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}
