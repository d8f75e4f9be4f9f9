/** The name of a tab, as wide as it is when chosen: its neighbours stay where they are when its weight changes. One file, for the tabs of pages and of editors. */
export function TabLabel({ children }: { children: string }) {
  return (
    <span
      data-label={children}
      className="inline-flex flex-col before:invisible before:h-0 before:overflow-hidden before:font-medium before:content-[attr(data-label)]"
    >
      {children}
    </span>
  );
}
