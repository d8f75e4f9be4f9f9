import type { RoleId } from "@/lib/access/roles";

/** Somebody of the demo tenant; nobody here has a password. */
export interface DemoPerson {
  login: string;
  name: string;
  /** What stands before @nordwind.example. */
  mail: string;
  /** Days before the first run; `seen` is absent for somebody who never signed in. */
  since: number;
  seen?: number;
  tenant?: RoleId[];
  eu?: RoleId[];
  us?: RoleId[];
  state?: "invited" | "deactivated";
  locked?: string;
  kind?: "service";
}

export const demoPeople: DemoPerson[] = [
  { login: "ingrid.solberg", name: "Ingrid Solberg", mail: "ingrid.solberg", since: 1094, seen: 1, tenant: ["portal.users.mgmt"] },
  { login: "matteo.ricci", name: "Matteo Ricci", mail: "matteo.ricci", since: 1088, seen: 3, tenant: ["tenant.admin"] },
  { login: "søren", name: "Søren Kjærgaard", mail: "soren.kjaergaard", since: 1079, seen: 0, tenant: ["portal.configurations.mgmt"] },
  { login: "yuki.tanaka", name: "田中 由紀", mail: "yuki.tanaka", since: 1051, seen: 2, tenant: ["portal.analytics.mgmt"] },
  {
    login: "amara.okafor",
    name: "Amara Okafor",
    mail: "amara.okafor",
    since: 1033,
    seen: 5,
    tenant: ["portal.customers.mgmt", "portal.order.mgmt"],
  },
  { login: "zoë.lefèvre", name: "Zoë Lefèvre", mail: "zoe.lefevre", since: 1002, seen: 1, eu: ["portal.pim.mgmt", "portal.catalog.mgmt"] },
  { login: "j.hernandez", name: "José Hernández Muñoz", mail: "jose.hernandez", since: 987, seen: 12, tenant: ["portal.promotions.mgmt"] },
  {
    login: "łukasz",
    name: "Łukasz Wiśniewski",
    mail: "lukasz.wisniewski",
    since: 951,
    seen: 4,
    tenant: ["portal.data-feed.mgmt"],
    eu: ["portal.inventory.mgmt"],
  },
  { login: "priya.raghunathan", name: "Priya Raghunathan", mail: "priya.raghunathan", since: 934, seen: 0, tenant: ["portal.pim.mgmt"] },
  {
    login: "oconnor",
    name: "Siobhán O’Connor",
    mail: "siobhan.oconnor",
    since: 902,
    seen: 220,
    tenant: ["portal.default"],
    locked: "On leave until the new year",
  },
  {
    login: "mehmet.yıldız",
    name: "Mehmet Yıldız",
    mail: "mehmet.yildiz",
    since: 880,
    seen: 9,
    eu: ["portal.shipping-carrier.mgmt", "portal.locations.mgmt"],
  },
  { login: "chen.wei", name: "陈伟", mail: "chen.wei", since: 861, seen: 6, tenant: ["portal.qa.mgmt"] },
  { login: "grace.kimani", name: "Grace Wanjiru Kimani", mail: "grace.kimani", since: 842, seen: 2, us: ["portal.customers.mgmt"] },
  {
    login: "anders.lindqvist",
    name: "Anders Lindqvist",
    mail: "anders.lindqvist",
    since: 815,
    seen: 31,
    tenant: ["portal.default"],
    eu: ["portal.users.mgmt"],
  },
  { login: "fatima.zahra", name: "Fatima Zahra El Amrani", mail: "fatima.elamrani", since: 803, seen: 1, eu: ["portal.catalog.mgmt"] },
  {
    login: "dmitri.volkov",
    name: "Дмитрий Волков",
    mail: "dmitri.volkov",
    since: 777,
    seen: 402,
    tenant: ["portal.inventory.mgmt"],
    state: "deactivated",
  },
  {
    login: "helena.novakova",
    name: "Helena Nováková",
    mail: "helena.novakova",
    since: 752,
    seen: 7,
    tenant: ["portal.finance-offers.mgmt", "portal.pricing-feed.mgmt"],
  },
  {
    login: "tom.whitaker",
    name: "Tom Whitaker",
    mail: "tom.whitaker",
    since: 731,
    seen: 3,
    us: ["portal.promotions.mgmt", "portal.catalog.mgmt"],
  },
  { login: "noa.ben-david", name: "נועה בן־דוד", mail: "noa.bendavid", since: 709, seen: 15, tenant: ["portal.ratings.mgmt"] },
  { login: "rafael.souza", name: "Rafael Souza Conceição", mail: "rafael.souza", since: 688, seen: 0, us: ["portal.pim.mgmt"] },
  {
    login: "eleni.papadopoulou",
    name: "Ελένη Παπαδοπούλου",
    mail: "eleni.papadopoulou",
    since: 655,
    seen: 18,
    eu: ["portal.ratings.mgmt", "portal.wishlist.mgmt"],
  },
  {
    login: "kwame.asante",
    name: "Kwame Asante",
    mail: "kwame.asante",
    since: 631,
    seen: 2,
    tenant: ["portal.analytics.mgmt"],
    us: ["portal.catalog.mgmt"],
  },
  {
    login: "linh.nguyen",
    name: "Nguyễn Thùy Linh",
    mail: "linh.nguyen",
    since: 604,
    seen: 1,
    us: ["portal.order.mgmt", "portal.return-policy.mgmt"],
  },
  {
    login: "pierre-yves",
    name: "Pierre-Yves Bélanger",
    mail: "pierre-yves.belanger",
    since: 580,
    seen: 64,
    us: ["portal.quotes.mgmt"],
    locked: "Agency contract ended",
  },
  { login: "katarzyna.b", name: "Katarzyna Brzęczyszczykiewicz", mail: "katarzyna.b", since: 547, seen: 11, eu: ["portal.order.mgmt"] },
  { login: "omar.haddad", name: "عمر حداد", mail: "omar.haddad", since: 521, seen: 4, tenant: ["portal.data-capture.mgmt"] },
  {
    login: "freya.jonsdottir",
    name: "Freyja Jónsdóttir",
    mail: "freyja.jonsdottir",
    since: 498,
    seen: 2,
    tenant: ["portal.default"],
    eu: ["portal.configurations.mgmt"],
  },
  { login: "min-jun.park", name: "박민준", mail: "minjun.park", since: 463, seen: 8, tenant: ["portal.clotho.mgmt"] },
  {
    login: "alice.moreau@brightpath.example",
    name: "Alice Moreau",
    mail: "alice.moreau",
    since: 440,
    seen: 26,
    eu: ["portal.promotions.mgmt"],
  },
  {
    login: "thabo.mokoena",
    name: "Thabo Mokoena",
    mail: "thabo.mokoena",
    since: 402,
    seen: 1,
    tenant: ["portal.cart.mgmt", "portal.wishlist.mgmt"],
  },
  {
    login: "isla.macleod",
    name: "Isla MacLeod",
    mail: "isla.macleod",
    since: 371,
    seen: 150,
    us: ["portal.inventory.mgmt"],
    locked: "Lost laptop, ticket 4412",
  },
  { login: "sven-erik", name: "Sven-Erik Österberg", mail: "sven-erik.osterberg", since: 335, seen: 5, tenant: ["portal.locations.mgmt"] },
  { login: "lucía.paredes", name: "Lucía Paredes", mail: "lucia.paredes", since: 298, seen: 0, us: ["portal.users.mgmt"] },
  {
    login: "harpreet.gill",
    name: "Harpreet Gill",
    mail: "harpreet.gill",
    since: 251,
    seen: 3,
    eu: ["portal.pim.mgmt"],
    us: ["portal.pim.mgmt"],
  },
  { login: "nadia.rahman", name: "Nadia Rahman", mail: "nadia.rahman", since: 204, seen: 1, tenant: ["portal.customers.mgmt"] },
  { login: "agnes.toth", name: "Tóth Ágnes", mail: "agnes.toth", since: 162, seen: 92, tenant: ["portal.default"], state: "deactivated" },
  {
    login: "warehouse-sync",
    name: "Warehouse synchronisation",
    mail: "integrations",
    since: 131,
    tenant: ["portal.inventory.mgmt", "portal.data-feed.mgmt"],
    kind: "service",
  },
  { login: "emeka.nwosu", name: "Emeka Nwosu", mail: "emeka.nwosu", since: 77, seen: 2, us: ["portal.catalog.mgmt", "portal.qa.mgmt"] },
  { login: "beatriz.faria", name: "Beatriz Faria", mail: "beatriz.faria", since: 19, eu: ["portal.customers.mgmt"], state: "invited" },
  {
    login: "hana.svobodova",
    name: "Hana Svobodová",
    mail: "hana.svobodova",
    since: 3,
    tenant: ["portal.analytics.mgmt"],
    state: "invited",
  },
];
