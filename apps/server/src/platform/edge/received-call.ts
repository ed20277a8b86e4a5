import { type Language, type Reader, readerOf } from '@sathorn/text';
import type { Intent } from '../intent.ts';
import { deriveIntent, type RetryWindows } from './derive-intent.ts';
import type { SignedInCustomer } from './handle.ts';
import type { FormFields } from './parse-form.ts';
import type { OperatorSession } from './sessions.ts';
import type { UploadedFile } from './upload.ts';

interface Received {
  readonly request: unknown;
  readonly customer: SignedInCustomer | null;
  readonly operator: OperatorSession | null;
  readonly language: Language;
  readonly presentation: string | undefined;
  readonly now: Date;
  readonly client: { readonly address: string; readonly device: string };
  readonly file: UploadedFile | null;
  readonly route: string;
  readonly names: readonly string[];
  readonly fields: FormFields;
  readonly idempotencyKey: string | null;
  readonly retryWindows: RetryWindows;
}

/** Returns the operator, with the confirmation of a decision if the call takes one. */
function operatorOf({ operator, request }: Received): OperatorSession | null {
  const { step_up: stepUp } = request as { step_up?: unknown };
  return operator && typeof stepUp === 'string' ? { ...operator, stepUp } : operator;
}

/** The context that a handler receives, shaped like `CallContext` in handle.ts. */
export class ReceivedCall {
  readonly request: unknown;
  readonly customer: SignedInCustomer | null;
  readonly operator: OperatorSession | null;
  readonly language: Language;
  readonly now: Date;
  readonly client: { readonly address: string; readonly device: string };
  readonly file: UploadedFile | null;
  readonly #parts: Received;
  #intent: Intent | undefined;

  constructor(parts: Received) {
    this.request = parts.request;
    this.customer = parts.customer;
    this.operator = operatorOf(parts);
    this.language = parts.language;
    this.now = parts.now;
    this.client = parts.client;
    this.file = parts.file;
    this.#parts = parts;
  }

  /** Identifies the request, for shared answers. */
  get named(): Pick<Received, 'fields' | 'names' | 'presentation'> {
    return this.#parts;
  }

  get reader(): Reader {
    return readerOf(this.language, this.#parts.presentation);
  }

  /** The intent is computed lazily, because most calls move no money. */
  get intent(): Intent {
    const { customer, operator, route, names, fields, idempotencyKey, now, retryWindows } = this.#parts;
    this.#intent ??= deriveIntent(
      customer?.id ?? operator?.id ?? 0n,
      route,
      names,
      fields,
      idempotencyKey,
      now,
      retryWindows,
    );
    return this.#intent;
  }
}
