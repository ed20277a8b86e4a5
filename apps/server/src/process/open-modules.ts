import { watchBackups } from '../checker/backup/index.ts';
import { openReport } from '../checker/checker/index.ts';
import { openDemo } from '../demo/demo/index.ts';
import { demoBoxes } from '../earning/boxes/index.ts';
import { DEMO_LADDER, ladderFields } from '../earning/rewards/index.ts';
import type { Market } from '../exchange/market/index.ts';
import type { Options } from '../exchange/options/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Payees } from '../money/payees/index.ts';
import type { Customers } from '../people/customers/index.ts';
import type { ClockGuard } from '../platform/clock-guard.ts';
import type { OperatorSessions } from '../platform/edge/index.ts';
import type { Module } from '../platform/module.ts';
import { openProofs } from '../platform/proofs/index.ts';
import type { Publishing } from '../service/content/index.ts';
import { gated } from './gates.ts';
import { openCore } from './open-core.ts';
import { openDesk } from './open-desk.ts';
import { openEarningAndRewards } from './open-earning-and-rewards.ts';
import { openPayments } from './open-payments.ts';
import { openPeople } from './open-people.ts';
import { openTerms } from './open-terms.ts';
import { openTexts } from './open-texts.ts';
import { openTrading } from './open-trading.ts';
import { beginOpening, type ModulesDependencies } from './opening.ts';

export type { ModulesDependencies } from './opening.ts';

/** A process's rooms, with the interfaces that the startup code uses. */
export interface Modules {
  readonly all: readonly Module[];
  /** The database's time, and whether this process's clock agrees with it. */
  readonly clockGuard: ClockGuard;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'ready'>;
  readonly customers: Customers;
  readonly payees: Payees;
  readonly operators: OperatorSessions;
  readonly options: Pick<Options, 'stopSelling'>;
  readonly publishing: Pick<Publishing, 'readPicture'>;
  /** Publishes a demo's ladder, once its house is funded. */
  offerDemoLadder(now: Date): Promise<void>;
  /** Publishes a demo's boxes. It computes the seeds of all their draws, which takes half a second. */
  offerDemoBoxes(now: Date): Promise<void>;
}

/** Opens every room after those that it needs. Nothing runs yet. */
export async function openModules(dependencies: ModulesDependencies): Promise<Modules> {
  let all: readonly Module[] = [];
  const opening = await beginOpening(dependencies, () => all);
  const { rooms, clockGuard, checked, reads, demoOutbox } = opening;
  await openCore(opening);
  await openTerms(opening);
  openPeople(opening);
  openTexts(opening);
  await openTrading(opening);
  await openPayments(opening);
  await openEarningAndRewards(opening);
  openDesk(opening);
  // Before anything is sold: receipts name the rules in force.
  await rooms.content.api.rules.refresh();

  const gates = {
    isOffered: opening.isOn,
    pauses: rooms.pauses.api,
    consents: rooms.consents.api,
    coverOf: rooms.books.api.coverOf,
    isPosted: async (intent: string) => (await rooms.ledger.api.transfersOf([intent])).length > 0,
  };
  all = [
    openReport({ latest: checked }),
    watchBackups({
      database: reads,
      dataDir: dependencies.config.dataDir,
      clock: clockGuard,
      onFault: dependencies.onFault,
    }),
    rooms.ledger,
    rooms.market,
    rooms.messages,
    rooms.files,
    rooms.customers,
    rooms.push,
    rooms.operators,
    rooms.offer,
    rooms.pauses,
    rooms.consents,
    rooms.certifications,
    rooms.payees,
    rooms.levels,
    rooms.safeguards,
    rooms.alerts,
    rooms.content,
    rooms.publishing,
    gated(rooms.options, gates),
    gated(rooms.contracts, gates),
    gated(rooms.deposits, gates),
    gated(rooms.withdrawals, gates),
    gated(rooms.earning, gates),
    rooms.rewards,
    rooms.boxes,
    rooms.invites,
    rooms.books,
    rooms.corrections,
    rooms.disputes,
    rooms.support,
    rooms.status,
    rooms.staffConsole,
    openProofs({ reads }),
    ...(demoOutbox
      ? [openDemo({ ledger: rooms.ledger.api, outbox: demoOutbox, pausedRefusal: rooms.safeguards.api.refusalOf })]
      : []),
  ];
  const offerDemoLadder = async (now: Date): Promise<void> => {
    await rooms.rewards.api.offerDemo(DEMO_LADDER, now);
    await rooms.offer.api.begin('ladder', 'daily', ladderFields(DEMO_LADDER), now);
  };
  const offerDemoBoxes = (now: Date): Promise<void> => rooms.boxes.api.offerDemo(demoBoxes, now);
  return {
    clockGuard,
    offerDemoLadder,
    offerDemoBoxes,
    ledger: rooms.ledger.api,
    market: rooms.market.api,
    customers: rooms.customers.api,
    payees: rooms.payees.api,
    operators: {
      resolve: (token, now, networks) => rooms.operators.api.sessions.resolve(token, now, networks),
      refused: (operator, route) => rooms.operators.api.refused(operator, route),
    },
    options: rooms.options.api,
    publishing: rooms.publishing.api,
    all,
  };
}
