import type { Sealer } from '../../platform/sealing.ts';
import type { PayeesDependencies } from './open-payees.ts';

/** What the handlers of this room share. */
export type PayeesRoom = Omit<PayeesDependencies, 'secrets' | 'onFault'> & {
  readonly sealer: Sealer;
  readonly onFault: (error: unknown) => void;
};
