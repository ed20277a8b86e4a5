/**
 * The chart of accounts: which accounts exist, and for which purposes money may move between them. All code reads it
 * here. `ledger.chart` and `ledger.purpose` contain the same, so the database rejects any other transfer;
 * `purposes.test.ts` compares both copies. A new purpose is one row here, one INSERT in a migration, and
 * `record.<name>` in the texts of money if a customer can see it.
 */

interface Account {
  readonly code: number;
  /** c: a credit balance, never negative. d: a debit balance, never overdrawn. n: equity, either sign. */
  readonly rule: 'c' | 'd' | 'n';
  readonly isHouse: boolean;
  /** Available, or held for open orders; both appear on the statement. Null for accounts that are not traded from. */
  readonly use: 'available' | 'in_orders' | null;
  /** True when the account counts towards a customer's total. */
  readonly isInTotal: boolean;
}

const house = (code: number, rule: Account['rule'] = 'c'): Account => ({
  code,
  rule,
  isHouse: true,
  use: null,
  isInTotal: false,
});
const customers = (code: number, { use = null, isInTotal = use !== null }: Partial<Account> = {}): Account => ({
  code,
  rule: 'c',
  isHouse: false,
  use,
  isInTotal,
});

/** House accounts have owner 0. Never change a number, because stored accounts use it. */
export const ACCOUNTS = {
  equity: house(100, 'n'),
  reserve_hot: house(110, 'd'),
  reserve_cold: house(111, 'd'),
  reserve_bank: house(112, 'd'),
  /** Tokens at customers' deposit addresses that have not been swept. */
  inbound_clearing: house(120, 'd'),
  /** Approved withdrawals that are not yet final on the chain or at the bank. */
  outbound_clearing: house(121),
  house_capital: house(200),
  options_pool: house(210),
  fee_income: house(220),
  rounding: house(230),
  demo_fund: house(240),
  maker: house(250),
  maker_in_orders: house(251),
  /** Pays the income of lock-up and liquidity. */
  yield: house(260),
  /** Income promised but not paid: the whole yield of open lock-ups, and days that are being paid. */
  yield_reserved: house(261),
  /** Funds the daily sign-in, invitations, activities and blind boxes, in USDT and points. */
  rewards: house(270),
  /** Budgets of the blind boxes on sale. */
  boxes: house(271),
  /** Reserved for fee coupons: nothing posts to it. */
  coupons: house(272),
  /** Pays small amounts to customers although the books contain no error. */
  goodwill: house(280),
  spot: customers(1000, { use: 'available' }),
  in_orders: customers(1005, { use: 'in_orders' }),
  lockup: customers(1010, { isInTotal: true }),
  liquidity: customers(1020, { isInTotal: true }),
  accrued: customers(1030),
  /** Rewards that are locked until the customer is certified. */
  restricted: customers(1040),
} as const satisfies Record<string, Account>;
export type AccountName = keyof typeof ACCOUNTS;

type TransferKind = 'single' | 'hold' | 'post' | 'void';
/** The letters by which the database stores the kinds of transfers. */
export const TRANSFER_KIND_LETTERS = { single: 's', hold: 'h', post: 'p', void: 'v' } as const satisfies Record<
  TransferKind,
  string
>;

/** The accounts between which a purpose may move money. */
interface Move {
  readonly kinds: readonly TransferKind[];
  readonly from: readonly AccountName[];
  readonly to: readonly AccountName[];
  /** True if both accounts must have the same owner, false if they must not, null if either is allowed. */
  readonly isOwn: boolean | null;
  /** app: the platform posts it. owner: only the database's owner may. nobody: only older versions did. */
  readonly postedBy: 'app' | 'owner' | 'nobody';
  /** Only allowed for test money. */
  readonly isDemo: boolean;
}

interface Purpose {
  readonly code: number;
  /**
   * Its class on a customer's statement: money brought in from outside (test money in a demo) or taken out, a trade, or
   * a hold, which has no line because it moves no money. Null for transfers that never touch a customer's account.
   */
  readonly statement: 'recharge' | 'withdraw' | 'trade' | 'hold' | null;
  readonly moves: readonly Move[];
}

const move = (from: AccountName[], to: AccountName[], rest: Partial<Move> = {}): Move => ({
  kinds: ['single'],
  isOwn: true,
  postedBy: 'app',
  isDemo: false,
  ...rest,
  from,
  to,
});
const HELD: Partial<Move> = { kinds: ['hold', 'post', 'void'], isOwn: false };
const CAPITAL: AccountName[] = ['house_capital', 'options_pool', 'maker'];
const BY_OWNER: Partial<Move> = { postedBy: 'owner' };

/** Never change a number, because stored transfers use it. */
export const PURPOSES = {
  capital_paid_in: {
    code: 1,
    statement: null,
    moves: [
      move(['equity'], CAPITAL, BY_OWNER),
      move(['equity'], ['yield'], BY_OWNER),
      move(['equity'], ['rewards'], BY_OWNER),
      move(['equity'], ['goodwill'], BY_OWNER),
      move(['equity'], ['demo_fund'], { postedBy: 'nobody', isDemo: true }),
    ],
  },
  pool_funded: {
    code: 2,
    statement: null,
    moves: [
      move(['equity'], CAPITAL, BY_OWNER),
      move(CAPITAL, ['equity'], BY_OWNER),
      move(['equity'], ['yield'], BY_OWNER),
      move(['yield'], ['equity'], BY_OWNER),
      move(['equity'], ['rewards'], BY_OWNER),
      move(['rewards'], ['equity'], BY_OWNER),
      move(['equity'], ['goodwill'], BY_OWNER),
      move(['goodwill'], ['equity'], BY_OWNER),
    ],
  },
  /** The initial capital of a demo's house. */
  demo_funding: {
    code: 3,
    statement: null,
    moves: [
      move(['equity'], ['options_pool', 'demo_fund', 'maker'], { isDemo: true }),
      move(['equity'], ['yield'], { isDemo: true }),
      move(['equity'], ['rewards'], { isDemo: true }),
      move(['equity'], ['goodwill'], { isDemo: true }),
    ],
  },
  demo_money: {
    code: 10,
    statement: 'recharge',
    moves: [move(['demo_fund'], ['spot'], { isOwn: false, isDemo: true })],
  },
  option_stake: { code: 20, statement: 'trade', moves: [move(['spot'], ['options_pool'], HELD)] },
  option_payout: { code: 21, statement: 'trade', moves: [move(['options_pool'], ['spot'], HELD)] },
  option_fee: { code: 22, statement: 'trade', moves: [move(['spot'], ['fee_income'], { isOwn: false })] },
  /** The stake of a lost option that a late price settled, back to a customer who had it void. */
  option_void: { code: 23, statement: 'trade', moves: [move(['options_pool'], ['spot'], { isOwn: false })] },
  /** Reserved: nothing posts it yet. */
  rounding: { code: 30, statement: 'trade', moves: [] },
  contract_hold: {
    code: 40,
    statement: 'hold',
    moves: [move(['spot'], ['in_orders']), move(['maker'], ['maker_in_orders'])],
  },
  contract_release: {
    code: 41,
    statement: 'hold',
    moves: [move(['in_orders'], ['spot']), move(['maker_in_orders'], ['maker'])],
  },
  contract_trade: {
    code: 42,
    statement: 'trade',
    moves: [move(['spot', 'maker', 'in_orders', 'maker_in_orders'], ['spot', 'maker'], { isOwn: false })],
  },
  contract_fee: { code: 43, statement: 'trade', moves: [move(['spot', 'maker'], ['fee_income'], { isOwn: null })] },
  /** Tokens that arrived, or bank money exchanged by the house. */
  deposit: {
    code: 50,
    statement: 'recharge',
    moves: [
      move(['inbound_clearing'], ['spot'], { isOwn: false }),
      move(['house_capital'], ['spot'], { isOwn: false }),
    ],
  },
  /** A reorganisation removed a credited deposit: the customer pays up to their balance, the house pays the rest. */
  deposit_reversed: {
    code: 51,
    statement: 'recharge',
    moves: [move(['spot'], ['inbound_clearing'], { isOwn: false }), move(['house_capital'], ['inbound_clearing'])],
  },
  bank_received: { code: 52, statement: null, moves: [move(['reserve_bank'], ['house_capital'])] },
  sweep: { code: 53, statement: null, moves: [move(['reserve_hot'], ['inbound_clearing'])] },
  withdrawal: { code: 54, statement: 'withdraw', moves: [move(['spot'], ['outbound_clearing'], HELD)] },
  withdrawal_fee: { code: 55, statement: 'withdraw', moves: [move(['spot'], ['fee_income'], HELD)] },
  withdrawal_sent: { code: 56, statement: null, moves: [move(['outbound_clearing'], ['reserve_hot'])] },
  /** The house takes the customer's USDT and pays THB from its bank account. */
  withdrawal_exchanged: { code: 57, statement: null, moves: [move(['outbound_clearing'], ['house_capital'])] },
  bank_paid: { code: 58, statement: null, moves: [move(['house_capital'], ['reserve_bank'])] },
  /** The house's own money that arrived at its wallet or bank account. */
  capital_received: { code: 59, statement: null, moves: [move(['reserve_hot', 'reserve_bank'], ['house_capital'])] },
  /** A withdrawal to another customer's deposit address. */
  internal_transfer: {
    code: 60,
    statement: 'recharge',
    moves: [move(['outbound_clearing'], ['spot'], { isOwn: false })],
  },
  /** A payout that failed for good after its approval. */
  withdrawal_returned: {
    code: 61,
    statement: 'withdraw',
    moves: [move(['outbound_clearing', 'fee_income'], ['spot'], { isOwn: false })],
  },
  /** Repays the house from later money of a customer for whose reversed deposit the house paid a part. */
  shortfall_repaid: { code: 62, statement: 'recharge', moves: [move(['spot'], ['house_capital'], { isOwn: false })] },
  /** The fee for crediting a transfer that no rule can credit. */
  recovery_fee: { code: 63, statement: 'recharge', moves: [move(['spot'], ['fee_income'], { isOwn: false })] },
  /** Tokens that somebody sent from the house's wallet by hand, and for which two people accounted. */
  foreign_expense: { code: 64, statement: null, moves: [move(['house_capital'], ['reserve_hot'])] },
  /** Tokens that somebody moved by hand between the wallet and another address of the house. */
  house_moved: {
    code: 65,
    statement: null,
    moves: [move(['reserve_cold'], ['reserve_hot']), move(['reserve_hot'], ['reserve_cold'])],
  },
  /** A payout that a restoration lost: the wallet's owner pays up to their balance, the house the rest. */
  withdrawal_found: {
    code: 66,
    statement: 'withdraw',
    moves: [move(['spot'], ['reserve_hot'], { isOwn: false }), move(['house_capital'], ['reserve_hot'])],
  },
  lockup_subscribed: { code: 70, statement: 'trade', moves: [move(['spot'], ['lockup'])] },
  lockup_matured: { code: 71, statement: 'trade', moves: [move(['lockup'], ['spot'])] },
  /** A lock-up's whole yield, reserved at its subscription, or a day's liquidity income before it is paid. */
  yield_reserved: { code: 72, statement: null, moves: [move(['yield'], ['yield_reserved'])] },
  lockup_income: { code: 73, statement: 'trade', moves: [move(['yield_reserved'], ['spot'], { isOwn: false })] },
  liquidity_subscribed: { code: 74, statement: 'trade', moves: [move(['spot'], ['liquidity'])] },
  /** A quick redemption is a single transfer; a normal one is held until it is issued. */
  liquidity_redeemed: {
    code: 75,
    statement: 'trade',
    moves: [move(['liquidity'], ['spot'], { kinds: ['single', 'hold', 'post', 'void'] })],
  },
  liquidity_income: { code: 76, statement: 'trade', moves: [move(['yield_reserved'], ['spot'], { isOwn: false })] },
  yield_funded: { code: 77, statement: null, moves: [move(['house_capital'], ['yield'])] },
  sign_in_reward: {
    code: 80,
    statement: 'trade',
    moves: [move(['rewards'], ['spot'], { isOwn: false }), move(['rewards'], ['restricted'], { isOwn: false })],
  },
  /** Points for an invitation or an activity. */
  points_granted: {
    code: 81,
    statement: 'trade',
    moves: [move(['rewards'], ['spot'], { isOwn: false }), move(['rewards'], ['restricted'], { isOwn: false })],
  },
  box_funded: { code: 82, statement: null, moves: [move(['rewards'], ['boxes'])] },
  box_returned: { code: 83, statement: null, moves: [move(['boxes'], ['rewards'])] },
  box_price: { code: 84, statement: 'trade', moves: [move(['spot'], ['rewards'], { isOwn: false })] },
  /** The largest prize is held while the draw is open. */
  box_prize: { code: 85, statement: 'trade', moves: [move(['boxes'], ['spot'], HELD)] },
  /** Reserved, like the two below: nothing posts these purposes, and the checker reports any such transfer. */
  coupon_reserved: { code: 86, statement: null, moves: [move(['boxes'], ['coupons'])] },
  coupon_paid: { code: 87, statement: 'trade', moves: [move(['coupons'], ['spot'], { isOwn: false })] },
  coupon_expired: { code: 88, statement: null, moves: [move(['coupons'], ['rewards'])] },
  /** Rewards that were locked until the customer's certification. */
  reward_released: { code: 89, statement: 'trade', moves: [move(['restricted'], ['spot'])] },
  /** Corrections by two people: refunds of what was taken wrongly, goodwill, and reversals of wrong credits. */
  correction_refund: {
    code: 90,
    statement: 'trade',
    moves: [move(['house_capital', 'options_pool', 'fee_income'], ['spot'], { isOwn: false })],
  },
  correction_goodwill: { code: 91, statement: 'trade', moves: [move(['goodwill'], ['spot'], { isOwn: false })] },
  correction_reverse: {
    code: 92,
    statement: 'trade',
    moves: [move(['spot'], ['house_capital', 'options_pool', 'fee_income', 'goodwill'], { isOwn: false })],
  },
} as const satisfies Record<string, Purpose>;
export type PurposeName = keyof typeof PURPOSES;

const entriesOf = <Name extends string, Row>(table: Readonly<Record<Name, Row>>): (readonly [Name, Row])[] =>
  Object.entries(table) as [Name, Row][];

const ACCOUNT_NAMES = new Map<number, AccountName>(entriesOf(ACCOUNTS).map(([name, { code }]) => [code, name]));
const PURPOSE_NAMES = new Map<number, PurposeName>(entriesOf(PURPOSES).map(([name, { code }]) => [code, name]));

/** Undefined for a code outside the chart. */
export const accountNameOf = (code: number): AccountName | undefined => ACCOUNT_NAMES.get(code);
export const purposeNameOf = (code: number): PurposeName | undefined => PURPOSE_NAMES.get(code);

/** Names of the accounts that match a condition. */
export const accountsWhere = (isWanted: (account: Account) => boolean): ReadonlySet<AccountName> =>
  new Set(entriesOf<AccountName, Account>(ACCOUNTS).flatMap(([name, account]) => (isWanted(account) ? name : [])));

/** Names of the purposes of one class of a customer's statement. */
export const purposesOfStatement = (statement: Purpose['statement']): ReadonlySet<PurposeName> =>
  new Set(
    entriesOf<PurposeName, Purpose>(PURPOSES).flatMap(([name, purpose]) =>
      purpose.statement === statement ? name : [],
    ),
  );

/** Lists each move of each purpose in its own row, as `ledger.purpose` does. */
export const PURPOSE_ROWS = entriesOf<PurposeName, Purpose>(PURPOSES).flatMap(([, { code, moves }]) =>
  moves.map(({ kinds, from, to, ...rest }) => ({
    code,
    kinds: kinds.map((kind) => TRANSFER_KIND_LETTERS[kind]),
    debits: from.map((name) => ACCOUNTS[name].code),
    credits: to.map((name) => ACCOUNTS[name].code),
    ...rest,
  })),
);
