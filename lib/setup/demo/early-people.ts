import type { RoleId } from "@/lib/access/roles";

/** A user of the demo tenant; none of them has a password. */
export interface DemoPerson {
  login: string;
  name: string;
  /** What stands before @nordwind.example. */
  mail: string;
  /** Days before the first run; `seen` is absent for a user who never signed in. */
  since: number;
  seen?: number;
  tenant?: RoleId[];
  eu?: RoleId[];
  us?: RoleId[];
  state?: "invited" | "deactivated";
  locked?: string;
  kind?: "service";
}

/** The users of the demo tenant's first two years, by date of creation. */
export const earlyPeople: readonly DemoPerson[] = [
  {
    login: "ingrid.solberg",
    name: "Ingrid Solberg",
    mail: "ingrid.solberg",
    since: 1094,
    seen: 1,
    tenant: ["portal.users.mgmt"],
  },
  {
    login: "matteo.ricci",
    name: "Matteo Ricci",
    mail: "matteo.ricci",
    since: 1088,
    seen: 3,
    tenant: ["tenant.admin"],
  },
  {
    login: "søren",
    name: "Søren Kjærgaard",
    mail: "soren.kjaergaard",
    since: 1079,
    seen: 0,
    tenant: ["portal.configurations.mgmt"],
  },
  {
    login: "yuki.tanaka",
    name: "田中 由紀",
    mail: "yuki.tanaka",
    since: 1051,
    seen: 2,
    tenant: ["portal.analytics.mgmt"],
  },
  {
    login: "amara.okafor",
    name: "Amara Okafor",
    mail: "amara.okafor",
    since: 1033,
    seen: 5,
    tenant: ["portal.customers.mgmt", "portal.order.mgmt"],
  },
  {
    login: "zoë.lefèvre",
    name: "Zoë Lefèvre",
    mail: "zoe.lefevre",
    since: 1002,
    seen: 1,
    eu: ["portal.pim.mgmt", "portal.catalog.mgmt"],
  },
  {
    login: "j.hernandez",
    name: "José Hernández Muñoz",
    mail: "jose.hernandez",
    since: 987,
    seen: 12,
    tenant: ["portal.promotions.mgmt"],
  },
  {
    login: "łukasz",
    name: "Łukasz Wiśniewski",
    mail: "lukasz.wisniewski",
    since: 951,
    seen: 4,
    tenant: ["portal.data-feed.mgmt"],
    eu: ["portal.inventory.mgmt"],
  },
  {
    login: "priya.raghunathan",
    name: "Priya Raghunathan",
    mail: "priya.raghunathan",
    since: 934,
    seen: 0,
    tenant: ["portal.pim.mgmt"],
  },
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
  {
    login: "chen.wei",
    name: "陈伟",
    mail: "chen.wei",
    since: 861,
    seen: 6,
    tenant: ["portal.qa.mgmt"],
  },
  {
    login: "grace.kimani",
    name: "Grace Wanjiru Kimani",
    mail: "grace.kimani",
    since: 842,
    seen: 2,
    us: ["portal.customers.mgmt"],
  },
  {
    login: "anders.lindqvist",
    name: "Anders Lindqvist",
    mail: "anders.lindqvist",
    since: 815,
    seen: 31,
    tenant: ["portal.default"],
    eu: ["portal.users.mgmt"],
  },
  {
    login: "fatima.zahra",
    name: "Fatima Zahra El Amrani",
    mail: "fatima.elamrani",
    since: 803,
    seen: 1,
    eu: ["portal.catalog.mgmt"],
  },
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
  {
    login: "noa.ben-david",
    name: "נועה בן־דוד",
    mail: "noa.bendavid",
    since: 709,
    seen: 15,
    tenant: ["portal.ratings.mgmt"],
  },
  {
    login: "rafael.souza",
    name: "Rafael Souza Conceição",
    mail: "rafael.souza",
    since: 688,
    seen: 0,
    us: ["portal.pim.mgmt"],
  },
];
