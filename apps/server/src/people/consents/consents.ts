import type { ConsentProduct, ConsentState } from '@sathorn/api';
import type { Decision, SuitabilityAnswers } from '@sathorn/settlement';
import type { Reader } from '@sathorn/text';
import type { Database } from '../../platform/database/index.ts';

export interface ConsentsDependencies {
  readonly database: Database;
  /** True in live mode, and in a demonstration whose operator enables it. */
  readonly isAsked: boolean;
  readonly timeZone: string;
}

export interface Consents {
  readonly isAsked: boolean;
  /** True if the customer may order a product now. Synchronous for customers whose consent is in memory. */
  mayOrder(customer: bigint, product: ConsentProduct, now: Date): Promise<boolean> | boolean;
  state(customer: bigint, product: ConsentProduct, reader: Reader, now: Date): Promise<ConsentState>;
  give(
    customer: bigint,
    given: { readonly product: ConsentProduct; readonly version: number; readonly answers: SuitabilityAnswers },
    reader: Reader,
    now: Date,
  ): Promise<Decision<ConsentState, 'consent_outdated' | 'consent_answered'>>;
}
