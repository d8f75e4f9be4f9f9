type Overlay = "palette" | "shortcuts" | "new-sandbox" | "menu" | undefined;

let open: Overlay;
const listeners = new Set<() => void>();

/** Opens or closes an overlay of all pages. */
export function openOverlay(next: Overlay): void {
  open = next;
  for (const listener of listeners) listener();
}

export const overlay = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => open,
};
