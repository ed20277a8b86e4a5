import { AssertionError } from 'node:assert';
import type { RefusedEnvelope, SignedAcknowledgements } from '@sathorn/api';
import type { Refusing } from '@sathorn/settlement';
import { formatDate, LANGUAGES, type Language, type Reader } from '@sathorn/text';
import { fieldFaultText, httpStatusText, refusalText, translate } from '@sathorn/text/server';
import { CommandFault } from '../bus/index.ts';
import { isBusy, isConnectionFault } from '../database/index.ts';
import { PLAIN_PAGE_HEADERS } from './security-headers.ts';

/** The only place where refusals, bugs and faults become the specification's envelope `{ret, msg, data}`. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  /** Seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number;
  /** The compression of `body`. */
  readonly encoding?: 'br' | 'gzip';
  /** Replaces the headers of an ordinary API answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Message codes for requests that did not reach a call, by status. */
const HTTP_CODES: Readonly<Record<number, string>> = {
  400: 'malformed_request',
  403: 'origin_refused',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  415: 'content_type_refused',
  426: 'upgrade_required',
  429: 'too_many_requests',
  431: 'headers_too_large',
  500: 'internal_error',
  501: 'not_built_yet',
  503: 'unavailable',
};

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const SUCCESS = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    `{"ret":1,"msg":${JSON.stringify(translate(language, 'edge.success'))},"data":`,
  ]),
) as Record<Language, string>;

function envelope(ret: 0 | -1, msg: string, data: RefusedEnvelope): string {
  return JSON.stringify({ ret, msg, data });
}

/** `acknowledged` is what the answer's envelope contains beside its data. */
export function answerAccepted(
  data: unknown,
  language: Language,
  acknowledged: SignedAcknowledgements | null = null,
): HttpAnswer {
  const json: string | undefined = JSON.stringify(data);
  if (json === undefined) throw new AssertionError({ message: 'a handler accepted without a result' });
  const beside = acknowledged === null ? '' : `,"acknowledged":${JSON.stringify(acknowledged)}`;
  return { status: 200, body: `${SUCCESS[language]}${json}${beside}}` };
}

/** A result without an envelope, for the few answers that external programs read. */
export function answerPlain(data: unknown): HttpAnswer {
  return { status: 200, body: JSON.stringify(data) };
}

export function answerPage(html: string): HttpAnswer {
  return { status: 200, body: html, headers: PLAIN_PAGE_HEADERS };
}

/** Refusals that concern one field, with the validation message that is shown at the field. */
const FIELD_FAULTS: Readonly<Record<string, string>> = { malformed_request: 'malformed', field_required: 'required' };

export function answerRefusal({ refusal, params, field, others = {} }: Refusing<string>, reader: Reader): HttpAnswer {
  const msg = refusalText(reader, refusal, params && worded(params, reader));
  const data: RefusedEnvelope = { code: refusal };
  const fault = FIELD_FAULTS[refusal];
  if (field !== undefined)
    data.fields = { [field]: fault === undefined ? msg : fieldFaultText(reader.language, fault, field) };
  for (const [other, why] of Object.entries(others))
    data.fields = { ...data.fields, [other]: refusalText(reader, why) };
  if (params !== undefined) data.params = { ...params };
  return { status: 200, body: envelope(refusal === 'session_required' ? -1 : 0, msg, data) };
}

/** Formats times in the parameters for people. The answer's data keep the wire format. */
function worded(params: Readonly<Record<string, string>>, reader: Reader): Readonly<Record<string, string>> {
  const { until } = params;
  if (until === undefined || !ISO_TIME.test(until)) return params;
  return { ...params, until: formatDate(until, 'dateTime', reader, reader.timeZone) };
}

/** Faults by field, each worded in the caller's language. */
export function answerFaultyFields(faults: Readonly<Record<string, string>>, language: Language): HttpAnswer {
  const fields: Record<string, string> = {};
  for (const [field, fault] of Object.entries(faults)) fields[field] = fieldFaultText(language, fault, field);
  const data: RefusedEnvelope = { code: 'malformed_request', fields };
  return { status: 200, body: envelope(0, refusalText({ language }, 'malformed_request'), data) };
}

/** An answer with a status other than 200: the request reached no call, or the server failed. */
export function answerStatus(
  status: number,
  language: Language,
  detail: { retryAfterSeconds?: number; params?: Record<string, string> } = {},
): HttpAnswer {
  const code = HTTP_CODES[status] ?? (status < 500 ? 'malformed_request' : 'internal_error');
  const data: RefusedEnvelope = detail.params === undefined ? { code } : { code, params: detail.params };
  const body = envelope(0, httpStatusText(language, status), data);
  return detail.retryAfterSeconds === undefined
    ? { status, body }
    : { status, body, retryAfterSeconds: detail.retryAfterSeconds };
}

function statusOf(error: unknown): number {
  if (!(error instanceof Error)) return 500;
  // Fastify's own refusals (body too large, unknown content type) have a status.
  if ('statusCode' in error && typeof error.statusCode === 'number' && error.statusCode >= 400) return error.statusCode;
  return isConnectionFault(error) || isBusy(error) || error instanceof CommandFault ? 503 : 500;
}

/**
 * Answers a thrown error: 503 for a fault outside the server, which is worth a retry, and 500 for a bug. The answer
 * reveals nothing more; `report` gets the whole error.
 */
export function answerThrown(error: unknown, language: Language, report: (error: unknown) => void): HttpAnswer {
  const status = statusOf(error);
  if (status >= 500) report(error);
  return status === 503 ? answerStatus(503, language, { retryAfterSeconds: 1 }) : answerStatus(status, language);
}
