import { expect, test } from "vitest";
import { type Listed, Roster } from "./state";

interface Guest extends Listed {
  name: string;
}
const guest = (name: string): Guest => ({ name, place: -1 });
const namesOf = (roster: Roster<Guest>) => [...roster].map(({ name }) => name).sort();

test("holds the items that were added and not removed, in any order of removal", () => {
  const roster = new Roster<Guest>();
  const [ada, ben, cleo] = [guest("ada"), guest("ben"), guest("cleo")];
  for (const one of [ada, ben, cleo]) roster.add(one);
  roster.delete(ada);
  expect(namesOf(roster)).toEqual(["ben", "cleo"]);
  roster.delete(cleo);
  expect(namesOf(roster)).toEqual(["ben"]);
  roster.add(ada);
  roster.delete(ben);
  expect(namesOf(roster)).toEqual(["ada"]);
  expect(roster.size).toBe(1);
});

test("removes no other item for one that is not in it", () => {
  const roster = new Roster<Guest>();
  const [ada, ben] = [guest("ada"), guest("ben")];
  roster.add(ada);
  roster.delete(ada);
  roster.add(ben);
  roster.delete(ada);
  roster.delete({ name: "stranger", place: 0 });
  expect(namesOf(roster)).toEqual(["ben"]);
});

test("allows removals during an iteration: it visits each of the initial items once", () => {
  const roster = new Roster<Guest>();
  const guests = ["ada", "ben", "cleo", "dora"].map(guest);
  for (const one of guests) roster.add(one);
  const met: string[] = [];
  for (const one of roster) {
    met.push(one.name);
    for (const other of guests) roster.delete(other);
  }
  expect(met.sort()).toEqual(["ada", "ben", "cleo", "dora"]);
  expect(roster.size).toBe(0);
});
