import remedies from "@/components/texts/de/remedies.json";
import { reader, translated } from "@/components/texts/t";

const german: Partial<Record<string, string>> = remedies;

/** The remedy for an error code, in the reader's language. Rendered on the server, because browsers do not load remedies. */
export function remedyText(remedy: string): string {
  return (reader().language === "de" ? german[remedy] : undefined) ?? translated(remedy);
}
