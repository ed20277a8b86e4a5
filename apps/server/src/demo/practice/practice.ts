import type { Ledger } from '../../ledger/index.ts';
import type { Customers } from '../../people/customers/index.ts';
import type { Database } from '../../platform/database/index.ts';

export interface PracticeDependencies {
  /** The practice platform's origin, on the real platform. */
  readonly practiceUrl: string | null;
  /** The real platform's origin and its public key for tickets (hex), on the practice platform. */
  readonly practiceOf: { readonly origin: string; readonly key: string } | null;
  /** This platform's own origin. */
  readonly origin: string;
  /** The seed of the key that signs tickets: 32 bytes. */
  readonly ticketSeed: Buffer;
  readonly database: Database;
  readonly ledger: Ledger;
  readonly customers: Pick<Customers, 'isFrozen' | 'practice'>;
}
