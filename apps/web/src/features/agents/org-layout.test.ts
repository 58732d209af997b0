import fc from "fast-check";
import { expect, test } from "vitest";
import { card, layOut, type Reporting } from "./org-layout.ts";

const person = (id: string, reportsTo: string | null = null): Reporting => ({ id, reportsTo });
const placeIn = (people: readonly Reporting[], id: string) => layOut(people).places.find(({ of }) => of.id === id);

test("nobody is an empty picture, one person a picture of one card", () => {
  expect(layOut([]).places).toEqual([]);
  expect(layOut([person("a")])).toEqual({
    places: [{ of: person("a"), left: 0, top: 0, line: null }],
    width: card.width,
    height: card.height,
  });
});

test("reports stand below their manager, with a line from there", () => {
  const people = [person("a"), person("b", "a"), person("c", "a")];
  const [boss, one, other] = ["a", "b", "c"].map((id) => placeIn(people, id));
  expect(one?.top).toBe(card.height + card.gapY);
  expect(one?.top).toBe(other?.top);
  expect(boss?.left).toBe(((one?.left ?? 0) + (other?.left ?? 0)) / 2);
  expect([boss?.line, one?.line].map((line) => line === null)).toEqual([true, false]);
});

test("many who have no reports stand in columns below one manager, and each has a line from there", () => {
  const people = [person("a"), ...Array.from({ length: 200 }, (_, index) => person(`p${index}`, "a"))];
  const { places, width, height } = layOut(people);
  expect(width).toBeLessThan(9 * (card.width + card.gapX));
  expect(height).toBeLessThan(30 * (card.height + card.gapY));
  const boss = places.find(({ of }) => of.id === "a");
  const from = `M${(boss?.left ?? 0) + card.width / 2} ${card.height}V`;
  for (const { of, line } of places) if (of.id !== "a") expect(line?.startsWith(from), of.id).toBe(true);
});

test("who reports to somebody that is not here, or around in a circle, is at the top", () => {
  const people = [person("a", "gone"), person("b", "c"), person("c", "b"), person("d", "c")];
  for (const { top, line } of layOut(people).places) expect([top, line]).toEqual([0, null]);
});

test("everybody has one place, and no two cards meet", () => {
  const companies = fc
    .array(fc.nat(40), { maxLength: 60 })
    .map((managers) => managers.map((manager, index) => person(`p${index}`, manager < index ? `p${manager}` : null)));
  fc.assert(
    fc.property(companies, (people) => {
      const { places } = layOut(people);
      expect(places.map(({ of }) => of.id).sort()).toEqual(people.map(({ id }) => id).sort());
      for (const [index, one] of places.entries()) {
        for (const other of places.slice(index + 1)) {
          const isApart = Math.abs(one.left - other.left) >= card.width || Math.abs(one.top - other.top) >= card.height;
          expect(isApart, `${one.of.id} ${other.of.id}`).toBe(true);
        }
      }
    }),
  );
});
