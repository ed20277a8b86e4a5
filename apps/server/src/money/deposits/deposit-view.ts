import type { DepositRecord } from '@sathorn/api';
import { formatDecimal, formatMoney, zero } from '@sathorn/money';
import { type ChainConfig, chainViewOf, checksumAddressOf } from '../chain/index.ts';
import type { BankAccount } from './bank-rails.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import type { DepositRow, DepositStep } from './deposit-store.ts';
import { promptPayPayload } from './promptpay.ts';
import { confirmationsOf } from './watch-chain.ts';

const STATUS: Readonly<Record<Exclude<DepositStep, 'closed'>, DepositRecord['status']>> = {
  awaiting_slip: 'pending',
  in_review: 'pending',
  confirming: 'pending',
  credited: 'completed',
  returned: 'failed',
  reversed: 'failed',
  recovery: 'failed',
  recovering: 'pending',
  failed: 'failed',
};

const statusOf = ({ step, ending }: DepositRow): DepositRecord['status'] =>
  step !== 'closed' ? STATUS[step] : ending === 'credited' ? 'completed' : 'failed';

interface DepositRails {
  readonly chain: ChainConfig | null;
  readonly bank: BankAccount | null;
}

/** A deposit as its owner sees it. */
export function depositRecordOf(row: DepositRow, { chain, bank }: DepositRails): DepositRecord {
  const isChain = row.kind === 'crypto';
  const config = isChain && chain?.code === row.chain ? chain : null;
  const needed = config?.confirmations ?? null;
  const isBank =
    !isChain && row.baht !== null && row.rate !== null && row.rate_until !== null && row.reference !== null;
  const baht = row.baht ?? zero('THB');
  const isOther = row.reason === 'other_token' || row.reason === 'native_coin';
  const isRecovery = isOther || row.reason === 'below_minimum' || row.reason === 'counted';
  return {
    id: row.id,
    order_number: row.order_number,
    channel: row.channel,
    kind: row.kind,
    status: statusOf(row),
    step: row.step === 'failed' ? 'returned' : row.step,
    reason: row.reason,
    // The worth of another token is unknown.
    amount: formatDecimal(isOther ? 0n : row.amount, 6),
    fiat: isBank
      ? {
          currency: 'THB',
          amount: formatMoney(baht),
          came: row.came && formatMoney(row.came),
          rate: formatDecimal(row.rate ?? 0n, 6),
          rate_until: (row.rate_until ?? row.created_at).toISOString(),
          reference: row.reference ?? '',
        }
      : null,
    qr:
      bank && isBank && row.kind === 'promptpay' && row.step === 'awaiting_slip'
        ? promptPayPayload({ biller: bank.promptPayBiller, baht, reference: row.reference ?? '' })
        : null,
    bank: bank && isBank ? bankViewOf(bank) : null,
    chain: config && chainViewOf(config),
    hash: row.hash,
    from: row.sender && checksumAddressOf(row.sender),
    address: row.address && checksumAddressOf(row.address),
    block_height: row.block_height === null ? null : String(row.block_height),
    credit_height: row.block_height === null || needed === null ? null : String(row.block_height + BigInt(needed) - 1n),
    confirmations:
      isChain && row.network === null ? Math.min(confirmationsOf(row.block_height, row.head), needed ?? 0) : null,
    confirmations_needed: needed,
    has_slip: row.slip !== null,
    recovery: isRecovery
      ? {
          token: row.reason === 'native_coin' ? null : row.token && checksumAddressOf(row.token),
          units: String(row.amount),
          to:
            row.return_to === null || row.return_payee === null
              ? null
              : { name: row.return_payee, address: checksumAddressOf(row.return_to) },
          plan: row.recovery_plan,
          fee: formatMoney(
            row.step === 'credited' || row.step === 'recovering' ? row.recovery_fee : DEPOSIT_SETTINGS.recoveryFee,
          ),
          hash: row.sent_back,
        }
      : null,
    elsewhere: elsewhereOf(row),
    created_at: row.created_at.toISOString(),
    in_block_at: row.in_block_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

function elsewhereOf(row: DepositRow): DepositRecord['elsewhere'] {
  const { network, network_token: token, network_amount: amount, network_hash: hash, opened_note: note } = row;
  if (network === null || token === null || amount === null || hash === null || note === null) return null;
  const { ending, ending_hash: returned_in, corrected } = row;
  return { network, token, amount, hash, note, ending, returned_in, corrected: formatMoney(corrected) };
}

export const bankViewOf = ({ bank, bankName, accountName, number }: BankAccount) => ({
  bank,
  bank_name: bankName,
  account_name: accountName,
  number,
});
