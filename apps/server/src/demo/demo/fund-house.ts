import { createHash } from 'node:crypto';
import { type AssetCode, parseMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type AccountName, houseAccount, type JournalKind, type Ledger, uuidOfName } from '../../ledger/index.ts';

interface Funding {
  readonly to: AccountName;
  readonly asset: AssetCode;
  readonly units: bigint;
}

const houseFunding: JournalKind<Funding, null, never> = {
  name: 'house.fund',
  customer: () => null,
  accounts: ({ to, asset }) => [houseAccount('equity', asset), houseAccount(to, asset)],
  decide: ({ to, asset, units }) =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: houseAccount('equity', asset),
          credit: houseAccount(to, asset),
          units,
          code: 'demo_funding',
        },
      ],
      answer: null,
    }),
};

/**
 * The initial balances of a demo's house: test money from its own capital, by ordinary transfers. `ledger.demo_capital`
 * has the same amounts.
 */
export const DEMO_HOUSE_FUNDINGS: readonly [AccountName, AssetCode, string][] = [
  ['options_pool', 'USDT', '5000000'],
  // In each coin, the market maker gets as much value as it may use of its USDT (an eighth), at the simulator's initial
  // prices.
  ['maker', 'USDT', '4000000'],
  ['maker', 'BTC', '5.4'],
  ['maker', 'ETH', '157'],
  ['maker', 'BNB', '560'],
  ['maker', 'SOL', '3420'],
  ['maker', 'XRP', '223000'],
  ['maker', 'DOGE', '2970000'],
  ['maker', 'ADA', '1080000'],
  ['maker', 'TRX', '1750000'],
  ['yield', 'USDT', '500000'],
  ['rewards', 'USDT', '5000'],
  ['rewards', 'POINTS', '10000000'],
  ['goodwill', 'USDT', '2000'],
  ['demo_fund', 'USDT', '100000000'],
  ['demo_fund', 'BTC', '10000'],
  ['demo_fund', 'ETH', '100000'],
  ['demo_fund', 'BNB', '1000000'],
  ['demo_fund', 'SOL', '1000000'],
  ['demo_fund', 'XRP', '100000000'],
  ['demo_fund', 'DOGE', '100000000'],
  ['demo_fund', 'ADA', '100000000'],
  ['demo_fund', 'TRX', '100000000'],
  ['demo_fund', 'THB', '1000000000'],
  ['demo_fund', 'POINTS', '100000000'],
];

/** Idempotent: each funding has a fixed id. */
export async function fundDemoHouse(ledger: Ledger): Promise<void> {
  await Promise.all(
    DEMO_HOUSE_FUNDINGS.map(async ([to, asset, text]) => {
      const amount = parseMoney(asset, text);
      if (!amount) throw new Error(`${text} ${asset} is not an amount`);
      const digest = createHash('sha256').update(`house.fund/${to}/${asset}/${text}`).digest('hex');
      const id = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
      await ledger.post(houseFunding, { to, asset, units: amount.units }, { id, digest });
    }),
  );
}

/** THB in the demo house's bank account, for withdrawals to cards. */
const BANK_UNITS = 10_000_000_000n;

const bankFunding: JournalKind<null, null, never> = {
  name: 'house.fund_bank',
  customer: () => null,
  accounts: () => [houseAccount('reserve_bank', 'THB'), houseAccount('house_capital', 'THB')],
  decide: () =>
    accept({
      transfers: [
        {
          kind: 'single',
          debit: houseAccount('reserve_bank', 'THB'),
          credit: houseAccount('house_capital', 'THB'),
          units: BANK_UNITS,
          code: 'capital_received',
        },
      ],
      answer: null,
    }),
};

/** Idempotent, like fundDemoHouse. */
export async function fundDemoBank(ledger: Ledger): Promise<void> {
  await ledger.post(bankFunding, null, { id: uuidOfName('house.fund_bank'), digest: 'house.fund_bank' });
}
