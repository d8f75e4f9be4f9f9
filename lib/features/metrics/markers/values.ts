/** Characters of what a marker says. */
export const maxMarkerTitle = 200;

/** The kind of what a person remarks on the charts. What notes say is in no audit entry, and they go with their author. */
export const noteKind = "note";
