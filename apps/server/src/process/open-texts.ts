import {
  ACCEPTED_AFTER_MS,
  COVER_DAYS,
  NORMAL_REDEMPTION_DAYS,
  OPTION_GAP_MAX_MS,
  QUICK_REDEMPTION_MAX,
} from '@sathorn/settlement';
import { amountText, openContent, openPublishing } from '../service/content/index.ts';
import { isSellingOptions } from './config.ts';
import type { Opening } from './opening.ts';

/** What operators write for customers. */
export function openTexts(opening: Opening): void {
  const { rooms, clockGuard, config, database, onFault, mode, brand } = opening;
  rooms.content = openContent({
    database,
    brand,
    mode,
    prices: rooms.market.api.environment,
    products: { options: isSellingOptions(config) ? 'open' : 'no_licence' },
    baseUrl: config.baseUrl,
    serviceUrl: config.serviceUrl,
    rules: async () => ({
      stakeMin: amountText(rooms.options.api.stakeMin()),
      acceptSeconds: ACCEPTED_AFTER_MS / 1_000,
      gapSeconds: OPTION_GAP_MAX_MS / 1_000,
      disputeDays: 7,
      quickMax: amountText(QUICK_REDEMPTION_MAX),
      redemptionDays: NORMAL_REDEMPTION_DAYS,
      coverDays: COVER_DAYS,
      lockupDays: (await rooms.earning.api.products(clockGuard.now())).regular.products.map(({ days }) => days),
    }),
    clock: clockGuard,
    onFault,
    recentWins: async (now) => {
      const names = new Map<bigint, string>();
      const wins = await rooms.options.api.recentWins(now, async (owners) => {
        for (const [owner, name] of await rooms.customers.api.namesOfConsenting(owners)) names.set(owner, name);
        return new Set(names.keys());
      });
      return wins.map(({ owner, coin, amount, at }) => ({ name: names.get(owner) ?? '', coin, amount, at }));
    },
    inviteCodeOf: (customer) => rooms.customers.api.inviteCodeOf(customer),
    levelOf: rooms.levels.api.levelOf,
  });
  rooms.publishing = openPublishing({
    database,
    clock: clockGuard,
    brand,
    shelf: rooms.content.api.shelf,
    rules: rooms.content.api.rules,
    files: rooms.files.api,
    messages: rooms.messages.api,
    approvals: rooms.operators.api.approvals,
    audit: rooms.operators.api.audit,
    stepUps: rooms.operators.api.stepUps,
    isWaiting: rooms.operators.api.isWaiting,
    findWaiting: rooms.operators.api.findWaitingApproval,
    staffName: rooms.operators.api.workNameOf,
    isCustomer: rooms.customers.api.exists,
    onFault,
  });
  rooms.operators.api.addApprovalKind('content', rooms.publishing.api.approvalKind);
}
