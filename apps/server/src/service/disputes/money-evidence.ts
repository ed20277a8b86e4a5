import type { MoneyDisputeCase } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import type { AccountKey, TransferView } from '../../ledger/index.ts';
import type { MoneyDisputeRow, MoneySubject } from './case-store.ts';
import type { DisputesDependencies } from './disputes.ts';

type Evidence = MoneyDisputeCase['evidence'];
type Check = MoneyDisputeCase['checks'][number];

/** The subject in the form that people read; null if the customer has no such subject. */
interface MoneySubjectView {
  readonly order: string;
  readonly amount: string;
  readonly asset: string;
  readonly at: string;
}
export async function readDisputedSubject(
  { records }: Pick<DisputesDependencies, 'records'>,
  customer: bigint,
  kind: MoneySubject,
  id: string,
): Promise<MoneySubjectView | null> {
  if (kind === 'correction') {
    const own = await records.correction(customer, id);
    return own && { order: own.number, amount: own.amount, asset: own.asset, at: own.at };
  }
  const found = kind === 'deposit' ? await records.deposit(customer, id) : await records.withdrawal(customer, id);
  if (!found) return null;
  const { order_number: order, amount, created_at: at } = found.record;
  return { order, amount, asset: 'USDT', at };
}

/** Reads everything that is recorded about the subject, and checks the records against each other. */
export async function readMoneyEvidence(
  module: Pick<DisputesDependencies, 'records' | 'ledger' | 'usernameOf'>,
  { customer, subject_kind: kind, subject }: MoneyDisputeRow,
): Promise<{ readonly evidence: Evidence; readonly checks: readonly Check[] }> {
  const { records, ledger } = module;
  const username = await module.usernameOf(customer);
  const nameOf = ({ owner, name }: AccountKey) =>
    owner === 0n ? name : owner === customer ? `${name} ${username}` : `${name} #${owner}`;
  const viewOf = (one: TransferView): Evidence['transfers'][number] => ({
    sequence: String(one.sequence),
    journal: one.journal,
    kind: one.kind,
    purpose: one.code,
    debit: nameOf(one.debit),
    credit: nameOf(one.credit),
    amount: formatMoney(money(one.debit.asset, one.units)),
    asset: one.debit.asset,
    at: one.at.toISOString(),
  });
  const transfersOf = async (...journals: (string | null)[]) => {
    const ids = [...new Set(journals.filter((one) => one !== null))];
    return ids.length === 0 ? [] : ledger.transfersOf(ids);
  };
  const onChain = async (hash: string | null, isInBlock: boolean): Promise<Check[]> => {
    if (hash === null) return [];
    const receipt = await records.receipt(hash);
    // A transaction that is not in a block yet has no receipt, which agrees with our record.
    return [{ code: 'chain_agrees', ok: isInBlock ? receipt?.isSuccess === true : true }];
  };
  const explorerOf = (template: string | null | undefined, hash: string | null) =>
    hash === null ? null : (template?.replace('{hash}', hash) ?? null);

  if (kind === 'deposit') {
    const found = await records.deposit(customer, subject);
    if (!found) throw new Error(`deposit ${subject} is gone`);
    const { record, journal, line } = found;
    const transfers = await transfersOf(journal);
    const paid = transfers.filter(({ code, credit }) => code === 'deposit' && credit.owner === customer);
    const isPaid = paid.length === 1 && formatMoney(money('USDT', paid[0]?.units ?? 0n)) === record.amount;
    return {
      evidence: {
        status: record.step,
        amount: record.amount,
        fee: null,
        asset: 'USDT',
        channel: record.channel,
        created_at: record.created_at,
        finished_at: record.finished_at,
        hash: record.hash,
        explorer: explorerOf(record.chain?.explorer, record.hash),
        block_height: record.block_height,
        confirmations: record.confirmations,
        bank: line && { ...line, at: line.at.toISOString() },
        transfers: transfers.map(viewOf),
      },
      checks: [
        record.status === 'completed'
          ? { code: 'credited_once', ok: isPaid }
          : { code: 'nothing_credited', ok: record.step === 'reversed' || paid.length === 0 },
        ...(await onChain(record.hash, record.block_height !== null)),
        ...(record.fiat && record.status === 'completed'
          ? [{ code: 'bank_line_agrees', ok: line !== null && line.amount === record.fiat.came }]
          : []),
      ],
    };
  }
  if (kind === 'withdrawal') {
    const found = await records.withdrawal(customer, subject);
    if (!found) throw new Error(`withdrawal ${subject} is gone`);
    const { record, journal } = found;
    const transfers = await transfersOf(subject, journal);
    const held = transfers.filter((one) => one.kind === 'hold' && one.debit.owner === customer);
    const total = held.reduce((sum, { units }) => sum + units, 0n);
    return {
      evidence: {
        status: record.step,
        amount: record.amount,
        fee: record.fee,
        asset: 'USDT',
        channel: record.channel,
        created_at: record.created_at,
        finished_at: record.finished_at,
        hash: record.hash,
        explorer: explorerOf(record.chain?.explorer, record.hash),
        block_height: record.block_height,
        confirmations: record.confirmations,
        bank: null,
        transfers: transfers.map(viewOf),
      },
      checks: [
        { code: 'held_as_asked', ok: formatMoney(money('USDT', total)) === record.amount },
        ...(await onChain(record.hash, record.block_height !== null)),
      ],
    };
  }
  const own = await records.correction(customer, subject);
  if (!own) throw new Error(`correction ${subject} is gone`);
  const transfers = await transfersOf(own.journal);
  const [posted] = transfers;
  return {
    evidence: {
      status: own.status,
      amount: own.amount,
      fee: null,
      asset: own.asset,
      channel: null,
      created_at: own.at,
      finished_at: own.status === 'done' ? own.at : null,
      hash: null,
      explorer: null,
      block_height: null,
      confirmations: null,
      bank: null,
      transfers: transfers.map(viewOf),
    },
    checks: [
      {
        code: 'posted_as_agreed',
        ok:
          own.journal === null ||
          (transfers.length === 1 &&
            posted !== undefined &&
            formatMoney(money(posted.debit.asset, posted.units)) === own.amount.replace('-', '')),
      },
    ],
  };
}
