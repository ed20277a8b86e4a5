import type { Box, Draw, listDraws, ResultOf, readBoxFile } from '@sathorn/api';
import type { Decision } from '@sathorn/settlement';
import type { Intent, Ledger, LedgerRefusal } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Queries } from '../../platform/database/index.ts';
import type { Signer } from '../../platform/proofs/index.ts';
import type { BeaconClient } from './beacon-client.ts';
import type { DrawCommand, DrawRefusal } from './draw-kind.ts';
import type { BoxProposalFault, ProposedBox } from './publish-box.ts';

export interface BoxesDependencies {
  readonly database: Database;
  /** Connections for public reads. */
  readonly reads: Queries;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly signer: Signer;
  /** The key from which seeds are derived; null in a process that only sells draws. */
  readonly key: Buffer | null;
  readonly isOffering: boolean;
  readonly environment: 'live' | 'demo';
  readonly beacon: BeaconClient;
  /** True if this customer gets no reward yet because they are not certified. */
  readonly isLocked: (customer: bigint) => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

export interface Boxes {
  list(language: string, now: Date): Promise<Box[]>;
  draw(command: DrawCommand, intent: Intent, language: string): Promise<Decision<Draw, DrawRefusal | LedgerRefusal>>;
  seed(
    customer: bigint,
    request: { readonly id: string; readonly seed: string },
    language: string,
    now: Date,
  ): Promise<Decision<Draw, 'draw_unknown' | 'seed_too_late'>>;
  draws(
    customer: bigint,
    which: { readonly id: string | null; readonly page: string | null },
    language: string,
  ): Promise<Decision<ResultOf<typeof listDraws>, 'draw_unknown'>>;
  file(id: string, now: Date): Promise<Decision<ResultOf<typeof readBoxFile>, 'box_unknown'>>;
  /** Stores the commitments of boxes that an older version published. */
  storePromises(): Promise<void>;
  /** Publishes each box that two people have approved, once. Returns how many it published. */
  publishDecided(now: Date): Promise<number>;
  /** Resolves the due draws and returns the unused budget of ended boxes. Returns how many draws stay open. */
  resolveDue(now: Date): Promise<number>;
  faultOf(box: ProposedBox, now: Date): BoxProposalFault | null;
  /** Publishes a box once per decision, identified by the name of the decision of two people. */
  publish(
    name: string,
    box: ProposedBox,
    approval: string | null,
    now: Date,
  ): Promise<Decision<{ readonly id: string }, 'not_funded' | LedgerRefusal>>;
  /** The boxes with which a demo starts; idempotent. */
  offerDemo(boxes: (now: Date) => readonly ProposedBox[], now: Date): Promise<void>;
}
