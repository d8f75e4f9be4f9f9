import { afterAll, beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import {
  copyState,
  everything,
  fingerprint,
  measure,
  type Rights,
  type State,
  takeStep,
} from "./testing/account-chains";
import { beyond, findings } from "./testing/account-findings";
import { accountOperations, type Step, stepsOf } from "./testing/account-steps";
import { type AccountWorld, type Credential, makeAccountWorld } from "./testing/account-world";

/**
 * What each kind of caller can achieve with the operations that change a user, a key or a role: every chain of one step, and a sample of
 * two and three steps that is the same in each run. First steps are equivalent if their results agree for users whom the caller equals,
 * exceeds and has fewer permissions than: they enable the same next steps. A second step is about a user of the first one, since steps
 * about others are tried by themselves. After each step the test queries the permissions of the caller and of every credential
 * obtained: never more than before, and never those of a user with more.
 */

const send = testServer();
let world: AccountWorld;
let operations: string[];
const before = new Map<string, Rights>();

/**
 * `ACCOUNT_CHAINS=all` runs every caller, and every second step after each kind of first one: five minutes or more for each caller with `-t
 * "^um "`. Otherwise three callers, and a second step after twelve first ones.
 * The home tenant's administrator may change a user in every tenant, so `adm` has no fewer permissions than anyone.
 */
const isAll = process.env.ACCOUNT_CHAINS === "all";
const people = isAll ? ["um", "um1", "dual", "low", "ana", "pim", "care"] : ["um1", "low"];
const programs = isAll
  ? ["key of user.manage", "key of managers", "key of all but customers"]
  : ["key of user.manage"];

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  process.env.LOGIN_THROTTLE = "off";
  // Mails are queued, so the test reads them from the queue.
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  operations = accountOperations((await send("GET /openapi.json")).body.paths);
  world = await makeAccountWorld();
  for (const { name, credential } of world.subjects)
    before.set(name, (await measure(send, world.origin, credential)).rights);
  for (const program of world.programs)
    before.set(program.name, (await measure(send, world.origin, program)).rights);
});
afterAll(() => {
  delete process.env.SMTP_URL;
  delete process.env.LOGIN_THROTTLE;
  delete process.env.RATE_LIMITS;
});

const callerOf = (name: string): Credential => {
  const subject = world.subjects.find((one) => one.name === name)?.credential;
  const found = subject ?? world.programs.find((one) => one.name === name);
  if (!found) throw new Error(`nobody is called ${name}`);
  return found;
};

/** The operations that ever returned a credential, a token or a mail at the first step: only they are useful as a last step. */
type Giving = Set<string>;

/** A chain to continue: its state, its users, and its last step as the service's rules see it, which know permissions and no names. */
interface Node {
  state: State;
  touched: ReadonlySet<string>;
  kind: string;
}

/** A user as the rules see it from the caller: its kind, and where it may do what the caller may not. */
function standingOf(name: string, caller: Credential): string {
  const rights = before.get(name);
  if (name === caller.name || rights === undefined) return name === caller.name ? "self" : "new";
  const own = before.get(caller.name) ?? new Map();
  const lacking = [...rights].filter(([place]) =>
    beyond(new Map([[place, rights.get(place) ?? new Set()]]), own),
  );
  const isProgram = name.endsWith("Robot");
  return [isProgram ? "program" : "person", ...lacking.map(([place]) => place)].join(" ");
}

/** Roles in a body define a step; logins and names are new each time. */
const kindOf = ({ operation, touches, body }: Step, caller: Credential): string =>
  JSON.stringify([
    operation,
    touches.map((name) => standingOf(name, caller)),
    Object(body).roles ?? Object(body).roleIds,
    Object(body).sites,
  ]);

/** The first node of each kind. */
const oneOfEach = (nodes: readonly Node[]): Node[] => [
  ...new Map(nodes.toReversed().map((node) => [node.kind, node])).values(),
];

const startOf = (copy: State["copy"], known: State["known"], caller: Credential): Node => {
  const nothing = { steps: [], granted: [], isPasswordSet: false, hasAskedForMail: false };
  return {
    state: { copy, known, credentials: [caller], ...nothing },
    touched: new Set(),
    kind: "",
  };
};

/** Steps rejected for a missing permission or session, whatever the target: they stay rejected while the caller gains no permission. */
class Refused {
  readonly #codes = new Map<string, Set<string>>();
  note(operation: string, code: string): void {
    this.#codes.set(operation, (this.#codes.get(operation) ?? new Set()).add(code));
  }
  has(operation: string): boolean {
    const codes = [...(this.#codes.get(operation) ?? [])];
    const final = [
      "auth.permission-missing",
      "auth.scheme-not-accepted",
      "auth.api-key-restricted",
    ];
    return codes.length === 1 && final.includes(codes[0] ?? "");
  }
}

/** Whether links can be redeemed, or a user's sign-in may work, which changes the copy. */
const isToRedeem = ({ known, isPasswordSet, hasAskedForMail }: State) =>
  known.tokens.length > 0 || isPasswordSet || hasAskedForMail;

async function findingsAfter(caller: Credential, child: State): Promise<string[]> {
  const trial = isToRedeem(child) ? await copyState(child) : child;
  const usable = isToRedeem(child) ? await everything(send, trial) : child.credentials;
  const measured = await Promise.all(
    usable.map(async (credential) => ({
      credential,
      ...(await measure(send, trial.copy, credential)),
    })),
  );
  const found = findings(world, measured, { caller, before, granted: child.granted });
  return found.map((one) => `${child.steps.join(" | ")} => ${one}`);
}

const isGain = (child: State, state: State) =>
  child.credentials.length > state.credentials.length ||
  child.known.tokens.length > state.known.tokens.length ||
  child.hasAskedForMail ||
  child.isPasswordSet;

/** The steps that may matter after the node: those about the chain's users, and as a last one those that return something. */
function stepsAfter({ state, touched }: Node, by: Credential, { giving, isLast }: Turn): Step[] {
  const isFirst = state.steps.length === 0;
  const isGot = by !== state.credentials[0];
  return operations
    .filter((operation) => !isLast || isGot || giving.has(operation))
    .flatMap((operation) => stepsOf(operation, state.known))
    .filter(({ touches }) => isFirst || isGot || touches.some((one) => touched.has(one)));
}

/** One round of steps of a caller. */
interface Turn {
  caller: Credential;
  refused: Refused;
  giving: Giving;
  isLast: boolean;
}

/** Executes every step after the node, and returns the results and their findings. */
async function expand(node: Node, turn: Turn) {
  const { caller, refused, giving } = turn;
  const { state } = node;
  const isFirst = state.steps.length === 0;
  const children: Node[] = [];
  const found: string[] = [];
  const start = await fingerprint(state);
  let working = await copyState(state);
  for (const by of state.credentials)
    for (const step of stepsAfter(node, by, turn)) {
      if (by === caller && !isFirst && refused.has(step.operation)) continue;
      const child = await takeStep(send, working, by, step);
      if (isFirst) refused.note(step.operation, typeof child === "string" ? child : "");
      if (typeof child === "string" || (await fingerprint(child)) === start) continue;
      if (isFirst && isGain(child, state)) giving.add(step.operation);
      found.push(...(await findingsAfter(caller, child)));
      const created = child.known.subjects.slice(state.known.subjects.length);
      const touched = [...node.touched, ...step.touches, ...created.map(({ name }) => name)];
      children.push({ state: child, touched: new Set(touched), kind: kindOf(step, caller) });
      working = await copyState(state);
    }
  return { children, found };
}

/** The same picks in each run. */
function* picks(seed: number): Generator<number, never> {
  for (let value = seed; ; ) {
    value = (value * 48_271) % 2_147_483_647;
    yield value / 2_147_483_647;
  }
}

function sample<Item>(items: readonly Item[], size: number): Item[] {
  const random = picks(20_261_125);
  const left = [...items];
  return Array.from({ length: Math.min(size, left.length) }, () => {
    const at = Math.floor(random.next().value * left.length);
    return left.splice(at, 1);
  }).flat();
}

/** The number of first steps that get a second one, and of second ones that get a third. */
const followed = isAll ? Number.POSITIVE_INFINITY : 12;
const followedTwice = 1;

test.each([...people, ...programs])(
  "%s gains nothing with up to three steps",
  async (name) => {
    const caller = callerOf(name);
    const { origin: copy, subjects, keys } = world;
    const turn = { caller, refused: new Refused(), giving: new Set<string>(), isLast: false };
    const first = await expand(startOf(copy, { subjects, keys, tokens: [] }, caller), turn);
    const found = [...first.found];
    const last = { ...turn, isLast: true };
    const kinds = isAll ? oneOfEach(first.children) : first.children;
    for (const node of sample(kinds, followed)) found.push(...(await expand(node, last)).found);
    for (const node of sample(first.children, followedTwice)) {
      const second = await expand(node, turn);
      found.push(...second.found);
      for (const next of sample(second.children, followedTwice))
        found.push(...(await expand(next, last)).found);
    }
    expect([first.children.length > 0, found]).toEqual([true, []]);
  },
  1_200_000,
);
