import type * as v from 'valibot';
import type { CommonRefusal, OperatorRefusal } from './refusals.ts';

export type HttpMethod = 'GET' | 'POST';
/** The callers that are allowed: anyone, a customer with a session, or an operator with a session of the console. */
export type CallerKind = 'anyone' | 'customer' | 'operator';

/** Roles of operators. A person may have several, and no role includes another. */
export const OPERATOR_ROLES = ['support', 'compliance', 'finance', 'content', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

type Fields = v.ObjectSchema<v.ObjectEntries, undefined>;

/**
 * One entry of the table of calls. The request schema's *input* is what goes over the wire (strings), its *output* what
 * a handler receives (exact amounts, parsed ids). The result has the wire's shape.
 */
export interface Call<
  Request extends v.GenericSchema = v.GenericSchema,
  Result extends v.GenericSchema = v.GenericSchema,
  Refusal extends string = string,
  Caller extends CallerKind = CallerKind,
> {
  /** The name is in camel case; the handler's file has it in kebab case. `CALLS` in calls.ts provides the name. */
  readonly method: HttpMethod;
  readonly path: string;
  readonly who: Caller;
  /** An operator needs one of these; empty for calls by others. */
  readonly roles: readonly OperatorRole[];
  /** True if the call moves money: it requires an Idempotency-Key, and is refused while the ledger is halted. */
  readonly movesMoney: boolean;
  /** True if the answer has no envelope, because programs that don't know ours ask. Refusals have it. */
  readonly isPlain: boolean;
  /** True if the call takes a multipart file in the field `image`. */
  readonly takesFile: boolean | 'optional';
  readonly summary: string;
  readonly request: Request;
  readonly result: Result;
  readonly refusals: readonly Refusal[];
}

type Definition<Request, Result, Refusal, Caller> = {
  who: Caller;
  summary: string;
  movesMoney?: boolean;
  isPlain?: boolean;
  takesFile?: boolean | 'optional';
  request: Request;
  result: Result;
  refusals?: readonly Refusal[];
  // A call by operators must list its roles: without roles every operator could make it.
} & (Caller extends 'operator' ? { roles: readonly [OperatorRole, ...OperatorRole[]] } : { roles?: never });

// Allows bundlers to drop the calls that an app does not use.
/* @__NO_SIDE_EFFECTS__ */
export function call<
  const Request extends Fields | v.GenericSchema<Record<string, unknown>>,
  const Result extends v.GenericSchema,
  const Refusal extends string = never,
  const Caller extends CallerKind = CallerKind,
>(
  route: `${HttpMethod} /${string}`,
  definition: Definition<Request, Result, Refusal, Caller>,
): Call<Request, Result, Refusal, Caller> {
  const [method, path] = route.split(' ') as [HttpMethod, string];
  return {
    method,
    path,
    who: definition.who,
    roles: definition.roles ?? [],
    movesMoney: definition.movesMoney ?? false,
    isPlain: definition.isPlain ?? false,
    takesFile: definition.takesFile ?? false,
    summary: definition.summary,
    request: definition.request,
    result: definition.result,
    refusals: definition.refusals ?? [],
  };
}

/** The request as an app sends it. */
export type RequestOf<C extends Call> = v.InferInput<C['request']>;
/** The request as a handler receives it. */
export type ParsedRequestOf<C extends Call> = v.InferOutput<C['request']>;
export type ResultOf<C extends Call> = v.InferOutput<C['result']>;
/** Every refusal that this call can return: its own and the edge's common ones. */
export type RefusalOf<C extends Call> =
  | C['refusals'][number]
  | CommonRefusal
  | (C['who'] extends 'operator' ? OperatorRefusal : never);

export interface RefusedEnvelope {
  code: string;
  /** A message per faulty field, in the caller's language. */
  fields?: Record<string, string>;
  /** Values that the message mentions (limits, waits). */
  params?: Record<string, string>;
}

/** The specification's envelope: ret 1 success, 0 refused, -1 no session. */
export type Envelope<Data> =
  | { ret: 1; msg: string; data: Data }
  | { ret: 0; msg: string; data: RefusedEnvelope }
  | { ret: -1; msg: string; data: RefusedEnvelope };
