"use client";

import {
  createParser,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs";
import { charts, forFilters, metricsDefaults, periods, readGroups, views } from "./state";

const list = parseAsArrayOf(parseAsString).withDefault([]);

const groups = createParser({
  parse: readGroups,
  serialize: (group) => group.join(","),
  eq: (a, b) => a.join(",") === b.join(","),
});

/** The browser's parsers for the address of the metrics page. */
export const metricsParsers = {
  range: parseAsString.withDefault(metricsDefaults.range),
  from: parseAsString.withDefault(""),
  to: parseAsString.withDefault(""),
  within: parseAsString.withDefault(""),
  zone: parseAsString.withDefault(metricsDefaults.zone),
  period: parseAsStringLiteral(periods).withDefault("auto"),
  ...forFilters(() => list),
  group: groups.withDefault(metricsDefaults.group),
  chart: parseAsStringLiteral(charts).withDefault(metricsDefaults.chart),
  compare: parseAsBoolean.withDefault(metricsDefaults.compare),
  live: parseAsBoolean.withDefault(false),
  sample: parseAsBoolean.withDefault(false),
  view: parseAsStringLiteral(views).withDefault(metricsDefaults.view),
  off: list,
};
