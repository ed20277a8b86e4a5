import { watchBackups } from '../checker/backup/index.ts';
import { openReport } from '../checker/checker/index.ts';
import { openDemo } from '../demo/demo/index.ts';
import { openPractice } from '../demo/practice/index.ts';
import { demoBoxes } from '../earning/boxes/index.ts';
import { DEMO_LADDER, ladderFieldsOf } from '../earning/rewards/index.ts';
import type { Market } from '../exchange/market/index.ts';
import type { Options } from '../exchange/options/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Payees } from '../money/payees/index.ts';
import type { Customers } from '../people/customers/index.ts';
import type { ClockGuard } from '../platform/clock-guard.ts';
import type { Acknowledge, OperatorSessions } from '../platform/edge/index.ts';
import { type Module, readHealthOf } from '../platform/module.ts';
import { openProofs } from '../platform/proofs/index.ts';
import type { Publishing } from '../service/content/index.ts';
import { openLog } from '../service/log/index.ts';
import { type ModulesDependencies, openBaseModules } from './compose-base.ts';
import { openCaseModules, openDeskModules } from './compose-desk.ts';
import { openPaymentModules } from './compose-payments.ts';
import { openPeopleModules, openStaffModules } from './compose-people.ts';
import { openEarningModules, openTextModules, openTradingModules } from './compose-products.ts';
import { guardBeginnings } from './eligibility.ts';

/** A process's modules, with the interfaces that the startup code uses. */
interface Modules {
  readonly all: readonly Module[];
  /** The database's time, with a check that this process's clock agrees with it. */
  readonly clockGuard: ClockGuard;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'ready'>;
  readonly customers: Customers;
  readonly payees: Payees;
  readonly operators: OperatorSessions;
  readonly options: Pick<Options, 'stopSelling'>;
  readonly publishing: Pick<Publishing, 'readPicture'>;
  readonly acknowledge: Acknowledge;
  /** Publishes a demo's ladder, after its house is funded. */
  offerDemoLadder(now: Date): Promise<void>;
  /** Publishes a demo's boxes. It computes the seeds of all their draws, which takes half a second. */
  offerDemoBoxes(now: Date): Promise<void>;
}

/**
 * Opens every module with what it needs. Each step gets what the earlier steps opened, so using a module that is not
 * open yet does not compile. Nothing runs yet.
 */
export async function composeModules(dependencies: ModulesDependencies): Promise<Modules> {
  const base = await openBaseModules(dependencies);
  const staff = { ...base, ...(await openStaffModules(base)) };
  const people = { ...staff, ...openPeopleModules(staff) };
  const trading = { ...people, ...(await openTradingModules(people)) };
  const earnings = { ...trading, ...(await openEarningModules(trading)) };
  const texts = { ...earnings, ...openTextModules(earnings) };
  const payments = { ...texts, ...(await openPaymentModules(texts)) };
  const opened = { ...payments, ...openCaseModules(payments) };
  const { clockGuard, reads, demoOutbox, ledger, market, operators, offer, customers, payees } = opened;
  const { content, publishing, options, rewards, boxes, safeguards } = opened;
  const { practiceUrl, practiceOf, baseUrl } = dependencies.config;
  // Runs before anything is sold, because receipts name the rules in force.
  await content.api.rules.refresh();

  const beginnings = {
    isOffered: opened.isOn,
    pauses: opened.pauses.api,
    consents: opened.consents.api,
    coverOf: opened.coverOf,
    breakOf: safeguards.api.refusalOf,
    isPosted: async (intent: string) => (await ledger.api.transfersOf([intent])).length > 0,
  };
  const modules: readonly Module[] = [
    openReport({ latest: dependencies.checked }),
    watchBackups({
      database: reads,
      dataDir: dependencies.config.dataDir,
      clock: clockGuard,
      onFault: dependencies.onFault,
    }),
    ledger,
    market,
    opened.marketLists,
    opened.messages,
    opened.files,
    customers,
    opened.records,
    opened.push,
    operators,
    offer,
    opened.pauses,
    opened.consents,
    opened.certifications,
    payees,
    opened.levels,
    safeguards,
    opened.alerts,
    content,
    publishing,
    options,
    opened.contracts,
    opened.recurring,
    opened.deposits,
    opened.withdrawals,
    opened.treasury,
    opened.earning,
    opened.standing,
    rewards,
    boxes,
    opened.invites,
    opened.corrections,
    opened.disputes,
    opened.support,
    opened.status,
    openProofs({ reads }),
    openLog({ reads, alarm: dependencies.onFault }),
    ...(demoOutbox ? [openDemo({ ledger: ledger.api, outbox: demoOutbox, isPractice: practiceOf !== null })] : []),
    openPractice({
      practiceUrl,
      practiceOf,
      origin: new URL(baseUrl).origin,
      ticketSeed: opened.secrets.practiceKey,
      database: opened.database,
      ledger: ledger.api,
      customers: customers.api,
    }),
  ].map((module: Module) => guardBeginnings(module, beginnings));
  const desk = openDeskModules(opened, (now) => readHealthOf(modules, now));
  return {
    all: [...modules, desk.books, desk.liabilities, desk.staffConsole],
    clockGuard,
    ledger: ledger.api,
    market: market.api,
    customers: customers.api,
    payees: payees.api,
    operators: {
      resolve: (token, now, networks) => operators.api.sessions.resolve(token, now, networks),
      refused: (operator, route) => operators.api.refused(operator, route),
    },
    options: options.api,
    publishing: publishing.api,
    acknowledge: opened.acknowledge,
    async offerDemoLadder(now) {
      await rewards.api.offerDemo(DEMO_LADDER, now);
      await offer.api.begin('ladder', 'daily', ladderFieldsOf(DEMO_LADDER), now);
    },
    offerDemoBoxes: (now) => boxes.api.offerDemo(demoBoxes, now),
  };
}
