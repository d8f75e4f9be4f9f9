/** The fragment of a complete link that opens nothing. */
export const handOffThatIsNotThere = `token=svh_${"0".repeat(43)}&key=${"k".repeat(43)}`;
