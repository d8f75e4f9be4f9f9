import { writeFileSync } from "node:fs";
import { highlight } from "@/lib/catalogue/guides/highlight";
import { builtGuidesFile, readGuideSources } from "@/lib/catalogue/guides/parse";

/** Writes the guides with highlighted code to where production reads them. Run by the build. */
writeFileSync(builtGuidesFile(), JSON.stringify(await highlight(readGuideSources())));
