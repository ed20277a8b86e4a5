import type * as v from 'valibot';
import type { CommonRefusal, OperatorRefusal } from './refusals.ts';

export type Method = 'GET' | 'POST';
/** Who may call: anyone, a customer with a session, or an operator with a session of the console. */
export type Who = 'anyone' | 'customer' | 'operator';

/** What an operator may be. One person may have several roles; no role includes another. */
export const OPERATOR_ROLES = ['support', 'compliance', 'finance', 'content', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

type Fields = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * One entry of the table of calls. The request's *input* is what goes over the wire (strings), its *output* what a
 * handler gets (exact amounts, parsed ids). A result is the wire's own shape.
 */
export interface Call<
  Request extends v.GenericSchema = v.GenericSchema,
  Result extends v.GenericSchema = v.GenericSchema,
  Refusal extends string = string,
  Caller extends Who = Who,
> {
  /** Camel case; the handler's file is this name in kebab case. Given by the table in calls.ts. */
  readonly method: Method;
  readonly path: string;
  readonly who: Caller;
  /** An operator needs one of these; empty for calls of others. */
  readonly roles: readonly OperatorRole[];
  /** Moves money: takes an Idempotency-Key, and a halt of the ledger stops it. */
  readonly movesMoney: boolean;
  /** Takes a multipart file in the field `image`. */
  readonly takesFile: boolean;
  readonly summary: string;
  readonly request: Request;
  readonly result: Result;
  readonly refusals: readonly Refusal[];
}

type Definition<Request, Result, Refusal, Caller> = {
  who: Caller;
  summary: string;
  movesMoney?: boolean;
  takesFile?: boolean;
  request: Request;
  result: Result;
  refusals?: readonly Refusal[];
  // A call of operators without roles would be everybody's, so it does not compile.
} & (Caller extends 'operator' ? { roles: readonly [OperatorRole, ...OperatorRole[]] } : { roles?: never });

// So an app bundles only the calls that it makes.
/* @__NO_SIDE_EFFECTS__ */
export function call<
  const Request extends Fields | v.GenericSchema<Record<string, unknown>>,
  const Result extends v.GenericSchema,
  const Refusal extends string = never,
  const Caller extends Who = Who,
>(
  route: `${Method} /${string}`,
  definition: Definition<Request, Result, Refusal, Caller>,
): Call<Request, Result, Refusal, Caller> {
  const [method, path] = route.split(' ') as [Method, string];
  return {
    method,
    path,
    who: definition.who,
    roles: definition.roles ?? [],
    movesMoney: definition.movesMoney ?? false,
    takesFile: definition.takesFile ?? false,
    summary: definition.summary,
    request: definition.request,
    result: definition.result,
    refusals: definition.refusals ?? [],
  };
}

/** What the app sends. */
export type RequestOf<C extends Call> = v.InferInput<C['request']>;
/** What a handler receives. */
export type ParsedRequestOf<C extends Call> = v.InferOutput<C['request']>;
export type ResultOf<C extends Call> = v.InferOutput<C['result']>;
/** Every refusal that an answer of this call can carry: its own and those that the edge makes for all. */
export type RefusalOf<C extends Call> =
  | C['refusals'][number]
  | CommonRefusal
  | (C['who'] extends 'operator' ? OperatorRefusal : never);

export interface Refused {
  code: string;
  /** Message for each faulty field, in the caller's language. */
  fields?: Record<string, string>;
  /** Values that the message mentions (limits, waits). */
  params?: Record<string, string>;
}

/** The specification's envelope: ret 1 success, 0 refused, -1 no session. */
export type Envelope<Data> =
  | { ret: 1; msg: string; data: Data }
  | { ret: 0; msg: string; data: Refused }
  | { ret: -1; msg: string; data: Refused };
