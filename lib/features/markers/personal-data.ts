import type { OwnMarker } from "./contract";
import { selectMarkersOf } from "./rows";
import { toMarker } from "./service";

/** What a user reported on the charts of metrics, oldest first. */
export async function exportMarkers(tenantId: string, userId: string): Promise<OwnMarker[]> {
  return (await selectMarkersOf({ tenantId, userId })).map((row) => {
    const { source: _, author: _author, ...marker } = toMarker(row);
    return marker;
  });
}
