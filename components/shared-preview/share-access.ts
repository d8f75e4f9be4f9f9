"use client";

import { forgetFragment } from "@/components/ui/forget-fragment";
import { call } from "@/lib/catalogue/client";

/** The preview of a share. */
export interface SharedPlace {
  tenant: string;
  site: string;
  previewKey: string;
}

interface Access {
  share: string;
  id: string;
}

const storageKey = ({ tenant, site, previewKey }: SharedPlace) =>
  `share ${tenant}/${site}/${previewKey}`;

/** Reads the token of the link and removes it from the address. */
function takeToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "";
  if (token) forgetFragment();
  return token;
}

function stored(place: SharedPlace): Access | undefined {
  const text = sessionStorage.getItem(storageKey(place));
  return text === null ? undefined : (JSON.parse(text) as Access);
}

/** The access stored in this tab, or obtained for the link in its address; undefined without either. Throws CallError. */
export async function findAccess(place: SharedPlace): Promise<Access | undefined> {
  const token = takeToken();
  if (token === "") return stored(place);
  const { tenant, site, previewKey: key } = place;
  const given = { tenant, site, params: { key }, body: { token } };
  const answer = await call("POST /pim/preview/{key}/shares/exchange", given);
  const access = { share: answer.accessToken, id: answer.share };
  sessionStorage.setItem(storageKey(place), JSON.stringify(access));
  return access;
}
