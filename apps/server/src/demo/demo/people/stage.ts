import { setTimeout as pause } from 'node:timers/promises';
import {
  type Call,
  confirmStepUp,
  listDemoOperators,
  loginOperator,
  type RequestOf,
  type ResultOf,
  startStepUp,
} from '@sathorn/api';
import type { Refusing } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { readerOf } from '@sathorn/text';
import * as v from 'valibot';
import type { Clock } from '../../../platform/clock.ts';
import type { Handler, OperatorSession, OperatorSessions } from '../../../platform/edge/index.ts';
import { uuidOfName } from '../../../platform/intent.ts';
import { localDays } from '../../../platform/local-day.ts';
import { DEMO_OPERATORS } from '../../../staff/operators/index.ts';

/** A documentation address (RFC 5737), so that nobody mistakes a scene's log entry for a visitor's. */
const CLIENT = { address: '192.0.2.10', device: 'Demo' } as const;
const CODE_WAIT_MS = 3_000;
/** The previous half minute's code, which is still accepted; the displayed one is left to visitors who sign in. */
const STEP_MS = 30_000;
const POLL_MS = 1_000;

export interface DemoPlayer {
  readonly id: bigint;
  readonly username: string;
  readonly paypass: string;
}

export interface StageDependencies {
  readonly handlers: readonly Handler[];
  readonly operators: Pick<OperatorSessions, 'resolve'>;
  readonly clock: Clock;
  readonly language: Language;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/** A call that was refused. */
export class CallRefusedError extends Error {
  readonly refusal: string;
  readonly params: Readonly<Record<string, string>>;
  constructor(call: Call, { refusal, field, params = {} }: Refusing<string>) {
    super(`${call.method} ${call.path}: ${refusal}${field === undefined ? '' : ` (${field})`}`);
    this.refusal = refusal;
    this.params = params;
  }
}

export interface Stage {
  /** Makes a call as a customer, with all rules and checks of the call. Throws `CallRefusedError`. */
  call<C extends Call>(who: DemoPlayer, call: C, fields: RequestOf<C>, file?: Buffer): Promise<ResultOf<C>>;
  /** Makes a call as an operator of the demo. */
  operate<C extends Call>(workName: string, call: C, fields: RequestOf<C>): Promise<ResultOf<C>>;
  /** The same for a proposal, which the operator signs. */
  propose<C extends Call>(workName: string, call: C, fields: RequestOf<C>): Promise<ResultOf<C>>;
  /** Confirms one decision with the operator's authenticator; returns the id of the confirmation. */
  confirm(workName: string, of: RequestOf<typeof startStepUp>): Promise<string>;
  /** Repeats the read until `isDone`. Throws after `maxMs`. */
  until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean, maxMs: number): Promise<Value>;
  /** Midnight in the brand's time zone, this many days ahead. */
  midnightIn(days: number): Date;
  now(): Date;
  readonly signal: AbortSignal;
}

/**
 * Makes calls of the table in the name of demo people, within this process. They need no passwords and do not count
 * against the limits of the machine's visitors, but every rule of a call applies.
 */
export function openStage({ handlers, operators, clock, language, timeZone, signal }: StageDependencies): Stage {
  const handlerOf = new Map(handlers.map((handler) => [`${handler.call.method} ${handler.call.path}`, handler]));
  const sessions = new Map<string, OperatorSession>();

  const make = async <C extends Call>(
    by: { readonly customer?: bigint; readonly operator?: OperatorSession },
    call: C,
    fields: RequestOf<C>,
    {
      file = null,
      now = clock.now(),
      intent = fields as object,
    }: { readonly file?: Buffer | null; readonly now?: Date; readonly intent?: object } = {},
  ): Promise<ResultOf<C>> => {
    signal.throwIfAborted();
    const route = `${call.method} ${call.path}`;
    const handler = handlerOf.get(route);
    if (!handler) throw new Error(`${route} has no handler`);
    const { step_up: stepUp } = fields as { step_up?: string };
    // The id covers the confirmation. Otherwise a refused decision would be answered with that refusal each time.
    const content = JSON.stringify(intent);
    // The same scene played again makes the same calls, and those that move money have no second effect.
    const id = uuidOfName(`demo\n${by.customer ?? by.operator?.workName ?? ''}\n${route}\n${uuidOfName(content)}`);
    const decision = await handler.run({
      request: v.parse(call.request, fields),
      customer: by.customer === undefined ? null : { id: by.customer, sessionId: 'demo' },
      operator: by.operator ? { ...by.operator, ...(stepUp !== undefined && { stepUp }) } : null,
      language,
      reader: readerOf(language, undefined),
      now,
      intent: { id, digest: uuidOfName(content) },
      client: CLIENT,
      file: file && { bytes: file, name: 'demo.png' },
    } as never);
    if (!decision.ok) throw new CallRefusedError(call, decision);
    return decision.effect as ResultOf<C>;
  };

  /** Waits for a code that is valid now and was not used; the demo's page may already show the next one. */
  const codeOf = async (workName: string): Promise<string> => {
    for (;;) {
      const people = await make({}, listDemoOperators, {}, { now: new Date(clock.now().getTime() - STEP_MS) });
      const person = people.find(({ work_name }) => work_name === workName);
      if (!person) throw new Error(`${workName} is no demo operator`);
      if (person.seconds_left <= (2 * STEP_MS) / 1_000) return person.code;
      await pause(CODE_WAIT_MS, undefined, { signal });
    }
  };

  const enter = async (workName: string): Promise<OperatorSession> => {
    const known = sessions.get(workName);
    if (known && known.endsAt > clock.now()) return known;
    const password = DEMO_OPERATORS.find((operator) => operator.workName === workName)?.password ?? '';
    const fields = { username: workName, password, code: await codeOf(workName) };
    const { token } = await make({}, loginOperator, fields);
    const session = await operators.resolve(token, clock.now(), [{ name: CLIENT.address, share: 1 }]);
    if (!session) throw new Error(`${workName} has no session`);
    sessions.set(workName, session);
    return session;
  };

  const confirm = async (workName: string, of: RequestOf<typeof startStepUp>): Promise<string> => {
    const operator = await enter(workName);
    const { step_up: id } = await make({ operator }, startStepUp, of);
    await make({ operator }, confirmStepUp, { step_up: id, code: await codeOf(workName) });
    return id;
  };

  return {
    call: (who, call, fields, file) => make({ customer: who.id }, call, fields, { file: file ?? null }),
    operate: async (workName, call, fields) => make({ operator: await enter(workName) }, call, fields),
    async propose(workName, call, fields) {
      const operator = await enter(workName);
      try {
        return await make({ operator }, call, fields);
      } catch (error) {
        if (!(error instanceof CallRefusedError) || error.params.fingerprint === undefined) throw error;
        const stepUp = await confirm(workName, error.params as unknown as RequestOf<typeof startStepUp>);
        const signed = { ...(fields as object), step_up: stepUp } as typeof fields;
        return make({ operator }, call, signed, { intent: fields as object });
      }
    },
    confirm,
    async until(read, isDone, maxMs) {
      const endMs = performance.now() + maxMs;
      for (;;) {
        const value = await read();
        if (isDone(value)) return value;
        if (performance.now() > endMs) throw new Error('what a scene waited for did not happen');
        await pause(POLL_MS, undefined, { signal });
      }
    },
    now: () => clock.now(),
    midnightIn(days) {
      const calendar = localDays(timeZone);
      return calendar.momentOf(calendar.dayOf(clock.now()) + days, 0);
    },
    signal,
  };
}

/** Null if the call was refused for one of these reasons. */
export async function nullIfRefused<Result>(
  made: Promise<Result>,
  ...refusals: readonly string[]
): Promise<Result | null> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof CallRefusedError && refusals.includes(error.refusal)) return null;
    throw error;
  }
}
