import { createHash } from 'node:crypto';
import {
  approveWithdrawal,
  askCustomer,
  type BankLineView,
  cancelWithdrawal,
  listBankLines,
  listDepositCases,
  listDepositChannels,
  listPayees,
  matchDeposit,
  matchedText,
  openBankRun,
  openTreasuryRun,
  readBankRuns,
  readTreasury,
  readWithdrawalCase,
  rejectWithdrawal,
  requestWithdrawal,
  returnDeposit,
  sendTestDeposit,
  signBankRun,
  signTreasuryRun,
  submitDeposit,
  uploadPicture,
} from '@sathorn/api';
import { bankPaymentsOf, fingerprintOfBankRun, hashOfBankFile } from '@sathorn/treasury';
import sharp from 'sharp';
import type { DemoScene } from './scene.ts';
import { type DemoPlayer, nullIfRefused, type Stage } from './stage.ts';

const CAPITAL_MAX_MS = 120_000;
const CHECKED_MAX_MS = 120_000;

type ChannelKind = 'crypto' | 'bank';

/** The name of an open channel of a kind; null if the brand or this machine has none. */
async function channelOf(stage: Stage, who: DemoPlayer, kind: ChannelKind): Promise<string | null> {
  const channels = await stage.call(who, listDepositChannels, {});
  return channels.find((channel) => channel.kind === kind && channel.state === 'open')?.channel ?? null;
}

async function withdraw(stage: Stage, who: DemoPlayer, kind: ChannelKind, amount: string) {
  const channel = await channelOf(stage, who, kind);
  const { wallets, cards } = await stage.call(who, listPayees, {});
  const target = (kind === 'crypto' ? wallets : cards)[0]?.id;
  if (channel === null || target === undefined) return null;
  return stage.call(who, requestWithdrawal, { channel, target, amount, paypass: who.paypass });
}

/** Decides a withdrawal as an operator does: reads the case, confirms exactly that, decides. */
async function decide(stage: Stage, operator: string, id: string, decision: 'approve' | 'reject'): Promise<void> {
  const { version, decision: asked } = await stage.operate(operator, readWithdrawalCase, { id });
  if (!asked || asked.refusal !== null) return;
  const { approval, fingerprint } = asked;
  const stepUp = await stage.confirm(operator, { op: `approval.${decision}`, id: approval, fingerprint });
  const fields = { id, version: String(version), fingerprint, step_up: stepUp };
  if (decision === 'approve') await stage.operate(operator, approveWithdrawal, fields);
  else await stage.operate(operator, rejectWithdrawal, { ...fields, reason: 'source_unclear' });
}

/** Opens a payment run of one withdrawal and signs it with two other people's keys. */
async function payRun(stage: Stage, id: string): Promise<void> {
  const opened = await stage.operate('korn', openTreasuryRun, { withdrawals: id });
  const { run } = await stage.operate('korn', readTreasury, {});
  if (run?.id !== opened.run) return;
  for (const operator of ['ploy', 'tan'])
    await stage.operate(operator, signTreasuryRun, { id: run.id, hash: run.hash });
}

/** Opens a bank run of one payment, once the checker has scanned it, and signs its file with two people's keys. */
async function payByBank(stage: Stage, id: string): Promise<void> {
  const read = () => stage.operate('korn', readBankRuns, {});
  const { step } = await stage.operate('korn', readWithdrawalCase, { id });
  if (step !== 'approved') return;
  const isIn = (lines: readonly BankLineView[]) => lines.some(({ withdrawal }) => withdrawal.id === id);
  const { run: before } = await stage.until(
    read,
    ({ run, waiting }) => isIn(waiting) || isIn(run?.lines ?? []),
    CHECKED_MAX_MS,
  );
  if (before === null) await stage.operate('korn', openBankRun, { withdrawals: id });
  const { run } = await read();
  // A visitor has opened another one.
  if (run === null || !isIn(run.lines)) return;
  const payments = bankPaymentsOf(run.lines);
  const fingerprint = fingerprintOfBankRun(run.id, payments);
  for (const operator of ['ploy', 'tan']) {
    const stepUp = await stage.confirm(operator, { op: 'bank_run.sign', id: run.id, fingerprint });
    const signed = { id: run.id, hash: hashOfBankFile(payments), step_up: stepUp };
    await nullIfRefused(stage.operate(operator, signBankRun, signed), 'already_signed', 'run_closed');
  }
}

/** Orders a bank deposit. With `isPaid` the test bank reports the payment and a slip is sent. */
async function depositByBank(stage: Stage, who: DemoPlayer, amount: string, isPaid: boolean) {
  const channel = await channelOf(stage, who, 'bank');
  if (channel === null) return null;
  const order = await stage.call(who, submitDeposit, { channel, amount });
  if (!isPaid) return order;
  await stage.call(who, sendTestDeposit, { channel, id: order.id });
  await sendSlip(stage, who, channel, order);
  return order;
}

async function sendSlip(
  stage: Stage,
  who: DemoPlayer,
  channel: string,
  { id, order_number: number }: { readonly id: string; readonly order_number: string },
): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="640"><rect width="480" height="640" fill="#f4efe6"/>
    <text x="240" y="330" font-family="sans-serif" font-size="48" text-anchor="middle" fill="#5b4636">DEMO slip</text>
    <text x="240" y="390" font-family="sans-serif" font-size="24" text-anchor="middle" fill="#5b4636">${number}</text></svg>`;
  const { id: slip } = await stage.call(who, uploadPicture, {}, await sharp(Buffer.from(svg)).png().toBuffer());
  await stage.call(who, submitDeposit, { channel, id, slip });
}

async function depositCase(stage: Stage, id: string) {
  const { items } = await stage.operate('korn', listDepositCases, { tab: 'slip' });
  return items.find((item) => item.id === id) ?? null;
}

/** Matches a bank line as an operator does: confirms exactly that, then matches. */
async function matchConfirmed(stage: Stage, of: { readonly id: string; readonly version: number }, line: string) {
  const match = { id: of.id, line, version: String(of.version) };
  const fingerprint = createHash('sha256').update(matchedText(match)).digest('hex');
  const stepUp = await stage.confirm('korn', { op: 'deposit.match', id: of.id, fingerprint });
  return stage.operate('korn', matchDeposit, { ...match, step_up: stepUp });
}

export const MONEY_SCENES: readonly DemoScene[] = [
  {
    name: 'chain_deposits',
    async play(stage, { nicha, krit, lek }) {
      const channel = await channelOf(stage, nicha, 'crypto');
      if (channel === null) return;
      await stage.call(nicha, sendTestDeposit, { channel, amount: '2500' });
      await stage.call(krit, sendTestDeposit, { channel, amount: '65000' });
      // The amount is below the minimum, so it is not credited by rule and waits for people.
      await stage.call(lek, sendTestDeposit, { channel, amount: '0.5' });
    },
  },
  {
    name: 'bank_deposits',
    async play(stage, { nicha, krit, lek }) {
      const credited = await depositByBank(stage, nicha, '9000', true);
      const credit = credited && (await depositCase(stage, credited.id));
      if (credit) {
        const { items } = await stage.operate('korn', listBankLines, { near: credit.id, unused: 'true' });
        const line = items.find(({ agrees_on: agrees }) => agrees.includes('amount') && agrees.includes('reference'));
        if (line)
          // The house's capital on the chain counts once its first blocks are confirmed.
          await stage.until(
            () => nullIfRefused(matchConfirmed(stage, credit, line.id), 'house_short'),
            (matched) => matched !== null,
            CAPITAL_MAX_MS,
          );
      }
      // The customer never pays this order, so it expires a day later.
      await depositByBank(stage, nicha, '5000', false);
      // The customer pays this order and sends a slip, which waits for its bank line.
      await depositByBank(stage, krit, '150000', true);
      const channel = await channelOf(stage, lek, 'bank');
      const unpaid = await depositByBank(stage, lek, '3000', false);
      if (!unpaid || channel === null) return;
      await sendSlip(stage, lek, channel, unpaid);
      const missing = await depositCase(stage, unpaid.id);
      if (missing)
        await stage.operate('korn', returnDeposit, {
          id: missing.id,
          version: String(missing.version),
          reason: 'not_arrived',
        });
    },
  },
  {
    name: 'small_withdrawals',
    async play(stage, { nicha }) {
      // The amount needs no people: the signer sends it, and the chain confirms it.
      await withdraw(stage, nicha, 'crypto', '150');
      // One is at the bank, in a file that two people signed, and another one waits for the next run.
      const paid = await withdraw(stage, nicha, 'bank', '60');
      if (paid) await payByBank(stage, paid.id);
      await withdraw(stage, nicha, 'bank', '80');
    },
  },
  {
    name: 'large_withdrawals',
    async play(stage, { krit }) {
      const refused = await withdraw(stage, krit, 'crypto', '2100');
      if (refused) await decide(stage, 'fah', refused.id, 'reject');
      const cancelled = await withdraw(stage, krit, 'crypto', '1200');
      if (cancelled)
        await nullIfRefused(stage.call(krit, cancelWithdrawal, { id: cancelled.id }), 'withdrawal_not_in_review');
      // This amount needs one person.
      const asked = await withdraw(stage, krit, 'crypto', '1500');
      if (asked) {
        const { version } = await stage.operate('fah', readWithdrawalCase, { id: asked.id });
        const question = 'Please tell us what this payment is for.';
        await nullIfRefused(
          stage.operate('fah', askCustomer, { id: asked.id, version: String(version), question }),
          'withdrawal_decided',
        );
      }
      await withdraw(stage, krit, 'bank', '1800');
      const done = await withdraw(stage, krit, 'crypto', '3000');
      if (done) {
        await decide(stage, 'fah', done.id, 'approve');
        await payRun(stage, done.id);
      }
      // One person examined it, and it waits for the next payment run.
      const large = await withdraw(stage, krit, 'crypto', '12000');
      if (large) await decide(stage, 'fah', large.id, 'approve');
    },
  },
];
