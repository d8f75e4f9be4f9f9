import { encode } from "uqr";

/** The width of the white margin around a code in modules (ISO/IEC 18004). */
const quietZone = 4;

/** A text as a QR code, black on white in every theme: scanners do not read other colours reliably. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: quietZone });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-control bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
