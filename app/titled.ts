import type { Metadata } from "next";
import { type Message, t } from "@/components/texts/t";

/** The title of a page, in the reader's language. */
export const titled =
  (title: Message, more: Metadata = {}) =>
  (): Metadata => ({ ...more, title: t(title) });
