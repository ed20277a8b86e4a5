import type { MessageKey, TextParams } from '@sathorn/text';

/** The result of a call. Refusals and network faults are values; only bugs throw. */
export type Answer<Result> =
  /** `acknowledged` is what the envelope contains beside the data (`signedAcknowledgements`), unparsed. */
  { ok: true; data: Result; message: string; acknowledged?: unknown } | Failure;

export interface Failure {
  readonly ok: false;
  /**
   * A refusal's code (`exceeds_balance`), or one of ours: `session_required` (ret −1), `http`, `REQUEST_ERROR`,
   * `NO_RESPONDING`, `UNKNOWN_ERROR`, `still_loading`, `too_many`.
   */
  readonly code: string;
  /** The server's sentence in the customer's language; null if it sent none. */
  readonly message: string | null;
  /** A sentence for each faulty field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string>>;
  readonly status: number | null;
  /** True if the server decided. Otherwise the request may or may not have been carried out. */
  readonly isAnswered: boolean;
  /** The wait that the server requires before a retry. */
  readonly retryAfterMs?: number;
}

export function failureOf(code: string, more: Partial<Omit<Failure, 'ok' | 'code'>> = {}): Failure {
  return { ok: false, code, message: null, fields: {}, params: {}, status: null, isAnswered: false, ...more };
}

interface Wording {
  t(key: MessageKey, params?: TextParams): string;
  has(key: string): key is MessageKey;
}

/** The sentence for a failure: the server's own if it sent one, otherwise ours. */
export function failureText(fault: Failure, { t, has }: Wording): string {
  if (fault.message) return fault.message;
  if (fault.code === 'http') {
    const key = `http.${fault.status}`;
    return t(has(key) ? key : 'UNKNOWN_ERROR');
  }
  if (fault.code === 'still_loading') return t('throttle.loading');
  if (fault.code === 'too_many') return t('throttle.too_many');
  return t(has(fault.code) ? fault.code : 'UNKNOWN_ERROR');
}

/** React Query expects thrown errors; this wraps the failure. */
export class CallFault extends Error {
  readonly failure: Failure;
  constructor(cause: Failure) {
    super(cause.message ?? cause.code);
    this.failure = cause;
  }
}
