type Overlay = "palette" | "shortcuts" | undefined;

let open: Overlay;
const listeners = new Set<() => void>();

/** Opens the palette or the list of shortcuts, or closes both. */
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
