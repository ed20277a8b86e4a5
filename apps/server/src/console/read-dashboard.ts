import { readDashboard } from '@sathorn/api';
import { ASSETS, type AssetCode, formatMoney, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import { ACCOUNTS, type AccountName } from '../ledger/index.ts';
import { viewEntry } from '../operators/index.ts';
import { queuesOf, readQueues } from './desk.ts';
import { has, type Room } from './room.ts';

const EVENTS = 12;
/** The ledger's accounts for money held outside. They are debit-normal: credits minus debits is negative. */
const OUTSIDE: ReadonlySet<AccountName> = new Set(['reserve_hot', 'reserve_cold', 'reserve_bank', 'inbound_clearing']);

async function custodyOf({ ledger, counted }: Pick<Room, 'ledger' | 'counted'>) {
  const [totals, outside] = await Promise.all([ledger.totals(), counted()]);
  return (Object.keys(ASSETS) as AssetCode[]).flatMap((asset) => {
    const of = totals.filter((total) => total.asset === asset);
    if (of.length === 0) return [];
    const sum = (isWanted: (name: AccountName) => boolean): bigint =>
      of.filter(({ account }) => isWanted(account)).reduce((units, total) => units + total.units, 0n);
    const text = (units: bigint): string => formatMoney(money(asset, units));
    const reserves = -sum((name) => OUTSIDE.has(name));
    const found = outside.find((one) => one.asset === asset);
    return [
      {
        asset,
        customers: text(sum((name) => !ACCOUNTS[name].isHouse)),
        pools: text(sum((name) => ACCOUNTS[name].isHouse && ACCOUNTS[name].rule === 'c')),
        reserves: text(reserves),
        counted: found ? text(found.units) : null,
        difference: found ? text(found.units - reserves) : null,
      },
    ];
  });
}

export function readDashboardHandler(room: Room): Handler {
  const { operators, exposures, checked, health } = room;
  return handle(readDashboard, async ({ operator, now }) => {
    const isOfMoney = has(operator, 'compliance', 'finance', 'admin');
    const [custody, exposed, queues, states, latest] = await Promise.all([
      isOfMoney ? custodyOf(room) : null,
      isOfMoney ? exposures() : null,
      readQueues(room, now).then((waiting) => queuesOf(room, waiting, operator)),
      health(now),
      isOfMoney ? operators.latestEntries(EVENTS) : [],
    ]);
    const report = checked();
    return accept({
      at: now.toISOString(),
      custody,
      exposure:
        exposed?.map(({ code, up, down, limit }) => ({
          code,
          up: formatMoney(money('USDT', up)),
          down: formatMoney(money('USDT', down)),
          limit: limit === null ? null : formatMoney(money('USDT', limit)),
        })) ?? null,
      queues,
      health: [
        {
          name: 'checker',
          state: report === null ? 'unchecked' : report.halted === null ? 'checked' : report.halted,
          is_good: report !== null && report.halted === null && report.violations.length === 0,
        },
        ...states,
      ],
      events: latest.map(viewEntry).map(({ n, at, who, what, on }) => ({ n, at, who, what, on })),
    });
  });
}
