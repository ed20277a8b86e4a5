import type { ConsentProduct, ConsentState } from '@sathorn/api';
import type { Decision, SuitabilityAnswers } from '@sathorn/settlement';
import type { Reader } from '@sathorn/text';
import type { Database } from '../../platform/database/index.ts';

export interface ConsentsDependencies {
  readonly database: Database;
  /** In live mode; elsewhere only where the operator of the demonstration wants to try it. */
  readonly isAsked: boolean;
  readonly timeZone: string;
}

export interface Consents {
  readonly isAsked: boolean;
  /** Whether the customer may place orders of a product now. At once, from memory, for all who ordered before. */
  mayOrder(customer: bigint, product: ConsentProduct, now: Date): Promise<boolean> | boolean;
  state(customer: bigint, product: ConsentProduct, reader: Reader, now: Date): Promise<ConsentState>;
  give(
    customer: bigint,
    given: { readonly product: ConsentProduct; readonly version: number; readonly answers: SuitabilityAnswers },
    reader: Reader,
    now: Date,
  ): Promise<Decision<ConsentState, 'consent_outdated' | 'consent_answered'>>;
}
