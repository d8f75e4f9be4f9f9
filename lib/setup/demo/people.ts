import type { DemoPerson } from "./demo-person";
import { earlyPeople } from "./early-people";
import { laterPeople } from "./later-people";

/** Everybody of the demo tenant, by the date of arrival. */
export const demoPeople: readonly DemoPerson[] = [...earlyPeople, ...laterPeople];
