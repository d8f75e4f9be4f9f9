import { setTimeout as pause } from "node:timers/promises";
import type { Product } from "@/lib/server/testing/product";

/** The administrator's one-time password, as the first run prints it. */
export async function printedPassword(product: Product): Promise<string> {
  for (;;) {
    const password = /Password\s+(\S+)/.exec(product.output())?.[1];
    if (password) return password;
    await pause(20);
  }
}
