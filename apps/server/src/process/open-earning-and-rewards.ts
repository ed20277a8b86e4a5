import { boxOffer, openBeacon, openBoxes } from '../earning/boxes/index.ts';
import { DEMO_TERMS, fieldsOf, offerKindOf, openEarning } from '../earning/earning/index.ts';
import { openInvites } from '../earning/invites/index.ts';
import { ladderOffer, openRewards } from '../earning/rewards/index.ts';
import { coinOffer, feeOffer } from '../exchange/contracts/index.ts';
import { optionOffer } from '../exchange/options/index.ts';
import { thresholdOffer, withdrawalOffer } from '../money/withdrawals/index.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import { maskName } from '../service/content/index.ts';
import { isLockingRewards, switchOffer } from '../staff/brand-switches.ts';
import { levelOffer } from '../staff/levels/index.ts';
import { isOfferingBoxes } from './config.ts';
import type { Opening } from './opening.ts';

/** Earning, rewards, boxes, invitations, and the terms that the console may change. */
export async function openEarningAndRewards(opening: Opening): Promise<void> {
  const { rooms, clockGuard, config, secrets, database, reads, bus, onFault, mode, brand, switches, isOn, settler } =
    opening;
  rooms.earning = openEarning({
    database,
    reads,
    ledger: rooms.ledger.api,
    clock: clockGuard,
    bus,
    timeZone: brand.timeZone,
    isOffering: () => isOn('earning'),
    rules: (type, language) => rooms.content.api.shownRules(type === 'liquidity' ? 'liquidity' : 'lockup', language),
    scheduled: () => rooms.offer.api.scheduled(),
    passwords: rooms.customers.api,
    bringTerms: (now) => rooms.offer.api.applyDue(now),
    onFault,
  });
  const kinds = [
    ...[feeOffer, coinOffer, levelOffer, withdrawalOffer, thresholdOffer],
    optionOffer({ ledger: rooms.ledger.api }),
    switchOffer(switches),
  ];
  rooms.rewards = openRewards({
    database,
    ledger: rooms.ledger.api,
    timeZone: brand.timeZone,
    clock: clockGuard,
    lock: {
      isOn: () => isLockingRewards(switches),
      certifiedAmong: rooms.certifications.api.certifiedAmong,
    },
    onFault,
  });
  const beacon = openBeacon(config.beaconUrls, onFault);
  const ofRewards = [ladderOffer(rooms.rewards.api), boxOffer({ ledger: rooms.ledger.api, hasBeacon: beacon.has })];
  for (const kind of [...rooms.earning.api.offerKinds, ...kinds, ...ofRewards]) rooms.offer.api.addKind(kind);
  if (mode === 'demo') {
    const now = clockGuard.now();
    await rooms.earning.api.offerDemo(DEMO_TERMS, now);
    for (const terms of DEMO_TERMS)
      await rooms.offer.api.begin(offerKindOf(terms.product), String(terms.product), fieldsOf(terms), now);
  }
  rooms.boxes = openBoxes({
    database,
    reads,
    ledger: rooms.ledger.api,
    clock: clockGuard,
    signer: ed25519Signer(secrets.receiptKey),
    key: settler?.boxKey ?? null,
    isOffering: isOfferingBoxes(config),
    environment: mode,
    beacon,
    pausedRefusal: rooms.safeguards.api.refusalOf,
    isLocked: (customer) => rooms.rewards.api.isLocked(database, customer),
    onFault,
  });
  rooms.invites = openInvites({
    database,
    clock: clockGuard,
    timeZone: brand.timeZone,
    invitations: rooms.customers.api.invitations,
    certifiedAmong: rooms.certifications.api.certifiedAmong,
    verifiedSince: rooms.certifications.api.verifiedSince,
    sharePayee: rooms.payees.api.sharePayee,
    isFrozen: async (queries, customer) => (await rooms.customers.api.readFrozen(queries, [customer])).has(customer),
    grantPoints: (...of) => rooms.rewards.api.grantPoints(...of),
    maskName,
    onFault,
  });
}
