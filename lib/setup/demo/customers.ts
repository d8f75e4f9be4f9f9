import { randomBytes } from "node:crypto";
import type { Transaction } from "@/lib/database/open";
import { insertCustomer } from "@/lib/features/customers/registration";
import { type CustomerDetails, emptyDetails } from "@/lib/protocol/documents/customer-profile";

const dayMilliseconds = 86_400_000;

interface DemoShopper {
  first: string;
  last: string;
  city: string;
  country: string;
  /** Days before the first run. */
  since: number;
  sites: string[];
  birthDate?: string;
}

/** A random hash that matches no password: demo customers cannot sign in without registering, and an attempt takes as long as any other. */
function noPassword(): string {
  const text = (bytes: number) => randomBytes(bytes).toString("base64").replaceAll("=", "");
  return `$argon2id$v=19$m=19456,t=2,p=1$${text(16)}$${text(32)}`;
}

const both = ["eu-store", "us-store"];
const eu = ["eu-store"];
const us = ["us-store"];

const shoppers: DemoShopper[] = [
  {
    first: "Clara",
    last: "Weißmüller",
    city: "Leipzig",
    country: "DE",
    since: 640,
    sites: eu,
    birthDate: "1988-04-17",
  },
  {
    first: "Joaquín",
    last: "Peña",
    city: "Sevilla",
    country: "ES",
    since: 611,
    sites: eu,
    birthDate: "1979-11-02",
  },
  {
    first: "Mei",
    last: "Watanabe",
    city: "Portland",
    country: "US",
    since: 585,
    sites: both,
    birthDate: "1992-02-29",
  },
  { first: "Oluwaseun", last: "Adebayo", city: "Houston", country: "US", since: 560, sites: us },
  {
    first: "Zofia",
    last: "Kowalczyk",
    city: "Kraków",
    country: "PL",
    since: 533,
    sites: eu,
    birthDate: "1995-07-30",
  },
  { first: "Léa", last: "Dubois", city: "Lyon", country: "FR", since: 498, sites: eu },
  {
    first: "Harrison",
    last: "Clarke",
    city: "Denver",
    country: "US",
    since: 471,
    sites: us,
    birthDate: "1969-01-08",
  },
  { first: "Ayşe", last: "Kaya", city: "İzmir", country: "TR", since: 440, sites: eu },
  {
    first: "Giulia",
    last: "Fontana",
    city: "Torino",
    country: "IT",
    since: 402,
    sites: eu,
    birthDate: "2001-12-24",
  },
  { first: "Mateus", last: "Barros", city: "Newark", country: "US", since: 377, sites: both },
  {
    first: "Saoirse",
    last: "Byrne",
    city: "Galway",
    country: "IE",
    since: 331,
    sites: eu,
    birthDate: "1984-09-13",
  },
  { first: "Đorđe", last: "Petrović", city: "Graz", country: "AT", since: 296, sites: eu },
  {
    first: "Naledi",
    last: "Dlamini",
    city: "Boston",
    country: "US",
    since: 251,
    sites: us,
    birthDate: "1998-05-05",
  },
  { first: "Emil", last: "Åkesson", city: "Malmö", country: "SE", since: 207, sites: eu },
  {
    first: "Anh",
    last: "Trần",
    city: "San Jose",
    country: "US",
    since: 163,
    sites: us,
    birthDate: "1990-10-10",
  },
  {
    first: "Marguerite",
    last: "d’Arcy-Hughes",
    city: "Bath",
    country: "GB",
    since: 118,
    sites: both,
  },
  {
    first: "Ilse",
    last: "van der Meer",
    city: "Utrecht",
    country: "NL",
    since: 74,
    sites: eu,
    birthDate: "1973-03-21",
  },
  { first: "Ruth", last: "Goldberg", city: "Chicago", country: "US", since: 41, sites: us },
  {
    first: "Tomáš",
    last: "Dvořák",
    city: "Brno",
    country: "CZ",
    since: 12,
    sites: eu,
    birthDate: "1999-08-19",
  },
  { first: "Priscilla", last: "Owusu", city: "Atlanta", country: "US", since: 2, sites: us },
];

function plain(text: string): string {
  const letters = text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll("đ", "d")
    .replaceAll("Đ", "D")
    .replaceAll("ı", "i");
  return letters.toLowerCase().replace(/[^a-z]+/g, "-");
}

function detailsOf(
  { first, last, city, country, birthDate }: DemoShopper,
  login: string,
): CustomerDetails {
  const home = { city, country, label: "home", name: { first, last } };
  const email = { address: login, label: "private" };
  return {
    ...emptyDetails,
    addresses: { addresses: [home], defaultBilling: home, defaultShipping: home },
    emailAddresses: { addresses: [email], default: email },
    name: { first, last },
    subscriptions: {
      ...emptyDetails.subscriptions,
      emailNewsletters: [{ email: login, label: "weekly" }],
    },
    ...(birthDate === undefined ? {} : { birthDate }),
  };
}

/** Adds the demo's customers, oldest first; made-up names at a reserved domain. */
export async function addDemoCustomers(tx: Transaction, tenantId: string): Promise<void> {
  const now = Date.now();
  for (const shopper of shoppers) {
    const login = `${plain(shopper.first)}.${plain(shopper.last)}@shopper.example`;
    const registeredAt = new Date(now - shopper.since * dayMilliseconds);
    const details = detailsOf(shopper, login);
    await insertCustomer(tx, {
      tenantId,
      siteIds: shopper.sites,
      login,
      passwordHash: noPassword(),
      details,
      registeredAt,
    });
  }
}
