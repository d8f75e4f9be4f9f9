/** The fragment of a well-formed link for which no hand-off exists. */
export const handOffThatIsNotThere = `token=svh_${"0".repeat(43)}&key=${"k".repeat(43)}`;
