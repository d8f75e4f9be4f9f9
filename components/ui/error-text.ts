import { translated } from "@/components/texts/t";

/** What an error says, in the reader's language where it is known. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? translated(error.message) : "";
