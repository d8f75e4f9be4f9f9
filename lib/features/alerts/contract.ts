import { z } from "zod";
import { AlertFilter, AlertReading } from "@/lib/protocol/documents/alert";
import { automation, endpoint } from "@/lib/protocol/endpoint";
import {
  boundedText,
  Duration,
  Instant,
  InstantAnswer,
  Label,
  Slug,
  untagged,
} from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import {
  alertEntryKinds,
  alertMeasures,
  alertStatuses,
  maxRecipients,
  maxTestDays,
  resolvedReasons,
} from "./values";

const descriptions = {
  filter: "Which calls: all that match each field",
  shortValue: "The same over the short window",
  measure: "calls and silence: calls a minute. *-rate: 5xx or 4xx of all. latency-*: milliseconds",
  threshold:
    "Fires while both windows are above it; silence while both are at or below it. Rates: 0 to 1",
  window: "PT5M to PT6H. The short window is a twelfth of it",
  minimumCount: "Calls that the window must have; silence: on the day before it",
  mailTo: "Ids of people who are mailed when it fires and resolves",
} as const;

const AlertState = AlertReading.extend({
  status: z.enum(alertStatuses).meta({
    description: "pending: not checked yet. no-data: fewer calls than minimumCount",
  }),
  since: InstantAnswer.meta({ description: "Since when it has this status" }),
  checkedTo: InstantAnswer.nullable().meta({ description: "Where the last windows ended" }),
  value: z.number().nullable().meta({
    description: "Over the window: calls a minute, a share, or milliseconds",
  }),
  shortValue: z.number().nullable().meta({ description: descriptions.shortValue }),
  calls: z.int().nullable(),
  acknowledgedAt: InstantAnswer.nullable().meta({ description: "Of the present firing" }),
  acknowledgedBy: z.string().nullable().meta({ description: "The id of a user" }),
});

export const Alert = z.object({
  id: z.string(),
  name: z.string(),
  measure: z.enum(alertMeasures).meta({ description: descriptions.measure }),
  filter: AlertFilter.meta({ description: descriptions.filter }),
  threshold: z.number().meta({ description: descriptions.threshold }),
  window: z.string().meta({ description: descriptions.window }),
  shortWindow: z.string().meta({ description: "The second window, which ends with the first" }),
  minimumCount: z.int().meta({ description: descriptions.minimumCount }),
  mailTo: z.array(z.string()).meta({ description: descriptions.mailTo }),
  createdAt: InstantAnswer,
  mutedUntil: InstantAnswer.nullable().meta({ description: "Until when no event is made of it" }),
  state: AlertState.meta({ ...untagged, description: "What the last check found" }),
});

export type Alert = z.infer<typeof Alert>;

const text = boundedText(256).min(1);

const Filter = z.strictObject({
  site: Slug.optional().meta({ description: "With authority at one site: that site" }),
  domain: text.optional(),
  endpoint: text.optional().meta({ example: "GET /v1/user/list" }),
  apiKey: text.optional().meta({ description: "The id of an API key" }),
});

const condition = {
  measure: z.enum(alertMeasures).meta({ description: descriptions.measure }),
  filter: Filter,
  threshold: z.number().min(0).max(1_000_000_000).meta({ description: descriptions.threshold }),
  window: Duration.meta({ description: descriptions.window }),
  minimumCount: z.int().min(0).max(1_000_000_000).meta({ description: descriptions.minimumCount }),
};

const rule = {
  ...condition,
  filter: Filter.default({}).meta({ description: descriptions.filter }),
  minimumCount: condition.minimumCount.default(1),
};

const MailTo = z.array(text).max(maxRecipients).meta({ description: descriptions.mailTo });

export const NewAlert = z.strictObject({ name: Label, ...rule, mailTo: MailTo.default([]) });

export const AlertChange = z.strictObject({
  name: Label.optional(),
  measure: condition.measure.optional(),
  filter: Filter.optional().meta({ description: "Which calls; replaces whole" }),
  threshold: condition.threshold.optional(),
  window: condition.window.optional(),
  minimumCount: condition.minimumCount.optional(),
  mailTo: MailTo.optional(),
});

const days = z.int().min(1).max(maxTestDays).default(maxTestDays);

export const AlertTrial = z.strictObject({ ...rule, days });

const Firing = z.object({
  from: InstantAnswer,
  to: InstantAnswer.nullable().meta({ description: "null: it would still fire" }),
  peak: z.number().meta({ description: "The worst value of its window; of silence the least" }),
});

export const AlertTest = z.object({
  from: InstantAnswer,
  to: InstantAnswer,
  count: z.int().meta({ description: "How often it would have fired" }),
  firings: z.array(Firing).meta({ description: "The newest 200, oldest first" }),
  times: z.array(InstantAnswer),
  values: z.array(z.number().nullable()).meta({
    description: "The worst value of the window from each time to the next; null without data",
  }),
});

export type AlertTest = z.infer<typeof AlertTest>;

export const AlertEntry = z.object({
  number: z.int().meta({ description: "Counts the entries of the rule" }),
  at: InstantAnswer,
  kind: z.enum(alertEntryKinds),
  reason: z.enum(resolvedReasons).nullable().meta({ description: "Why it resolved" }),
  value: z.number().nullable().meta({ description: "Of the window, when it fired or resolved" }),
  shortValue: z.number().nullable().meta({ description: descriptions.shortValue }),
  calls: z.int().nullable(),
  threshold: z.number().nullable().meta({ description: "At that time" }),
  until: InstantAnswer.nullable().meta({ description: "Until when it was muted" }),
  userId: z.string().nullable().meta({ description: "Who did it; null for the service" }),
});

export type AlertEntry = z.infer<typeof AlertEntry>;

const reading = { ...automation, permission: "api-metric.read" } as const;
const changing = { ...automation, permission: "api-metric.write" } as const;

export const listAlerts = endpoint({
  operation: "GET /v1/alerts",
  summary: "List the alert rules with their state, newest first",
  ...reading,
  query: z.strictObject({
    status: z.enum(alertStatuses).optional().meta({ description: "Only rules of this status" }),
    ...pageQuery,
  }),
  answer: z.array(Alert),
});

export const createAlert = endpoint({
  operation: "POST /v1/alerts",
  summary: "Create an alert rule: it is checked each minute",
  ...changing,
  status: 201,
  body: NewAlert,
  answer: Alert,
  codes: ["quota.exceeded"],
});

/** Creates nothing, only reads counts; one test at a time for each tenant. */
const trying = {
  ...reading,
  replay: { isSafe: true },
  limits: { isOneAtATime: true },
  answer: AlertTest,
} as const;

export const tryAlert = endpoint({
  operation: "POST /v1/alerts/test",
  summary: "When a rule would have fired in the last days, without saving it",
  ...trying,
  body: AlertTrial,
});

export const getAlert = endpoint({
  operation: "GET /v1/alerts/{id}",
  summary: "Show an alert rule with its state",
  ...reading,
  answer: Alert,
  conditional: "tag",
  codes: ["alert.not-found"],
});

export const updateAlert = endpoint({
  operation: "PATCH /v1/alerts/{id}",
  summary: "Change an alert rule; but for its name and recipients it starts anew",
  ...changing,
  body: AlertChange,
  answer: Alert,
  conditional: "tag",
  codes: ["alert.not-found"],
});

export const deleteAlert = endpoint({
  operation: "DELETE /v1/alerts/{id}",
  summary: "Delete an alert rule with its history",
  ...changing,
  status: 204,
  conditional: "tag",
  codes: ["alert.not-found"],
});

export const testAlert = endpoint({
  operation: "POST /v1/alerts/{id}/test",
  summary: "When an alert rule would have fired in the last days",
  ...trying,
  body: z.strictObject({ days }),
  isBodyOptional: true,
  codes: ["alert.not-found"],
});

export const acknowledgeAlert = endpoint({
  operation: "POST /v1/alerts/{id}/acknowledge",
  summary: "Note that somebody takes care of the present firing",
  ...changing,
  answer: Alert,
  codes: ["alert.not-found", "alert.not-firing"],
});

export const muteAlert = endpoint({
  operation: "POST /v1/alerts/{id}/mute",
  summary: "Make no events of an alert rule until a time; its history goes on",
  ...changing,
  body: z.strictObject({
    until: Instant.nullable().meta({ description: "At most 30 days ahead; null ends it" }),
  }),
  answer: Alert,
  codes: ["alert.not-found"],
});

export const listAlertEntries = endpoint({
  operation: "GET /v1/alerts/{id}/history",
  summary: "List what happened to an alert rule, newest first: the newest 1,000 entries",
  ...reading,
  query: z.strictObject(pageQuery),
  answer: z.array(AlertEntry),
  codes: ["alert.not-found"],
});
