import { zero } from '@sathorn/money';
import { localDays } from '../../platform/local-day.ts';
import type { Job, Module } from '../../platform/module.ts';
import {
  countRewardedInvites,
  insertJudgement,
  listWaitingJudgements,
  lockInviter,
  markInviteGranted,
  readJudgements,
} from './invite-store.ts';
import type { Invites, InvitesDependencies } from './invites.ts';
import { judgeInvitation, POINTS_PER_INVITE } from './judge-invitation.ts';
import { listInvitesHandler } from './list-invites.ts';

const LOOK_EVERY_MS = 10_000;
/** How many days back a start searches for certifications that it missed. */
const AT_START_DAYS = 90;
const DAY_MS = 86_400_000;

export function openInvites(module: InvitesDependencies): Module<Invites> {
  const { database, invitations } = module;

  const judgeOne = async (invited: bigint, now: Date): Promise<void> => {
    const inviter = await invitations.inviterOf(database, invited);
    // The reward waits until the inviter is certified.
    if (!inviter || !(await module.certifiedAmong(database, [inviter.id])).has(inviter.id)) return;
    await database.transaction(async (transaction) => {
      await lockInviter(transaction, inviter.id);
      if ((await readJudgements(transaction, [invited])).size > 0) return;
      const day = localDays(module.timeZone).dayOf(now);
      const rewardedToday = await countRewardedInvites(transaction, inviter.id, day);
      const finding = judgeInvitation({
        isAllowed: inviter.invite_allowed && !(await module.isFrozen(transaction, inviter.id)),
        sharesDevice: await invitations.shareDevice(transaction, inviter.id, invited),
        sharesPayee: await module.sharePayee(transaction, inviter.id, invited),
        rewardedToday,
      });
      const isRewarded = finding === 'rewarded';
      await insertJudgement(transaction, {
        invited,
        inviter: inviter.id,
        finding,
        points: isRewarded ? POINTS_PER_INVITE : zero('POINTS'),
        day,
        place: isRewarded ? rewardedToday + 1 : null,
        at: now,
      });
    });
  };

  const api: Invites = {
    async judge(since, now) {
      const candidates = new Set<bigint>();
      for (const customer of await module.verifiedSince(since)) {
        candidates.add(customer);
        // People whom a newly certified customer invited may have been certified earlier, so they are judged now.
        for (const invited of await module.certifiedAmong(database, await invitations.idsOf(database, customer)))
          candidates.add(invited);
      }
      const judged = await readJudgements(database, [...candidates]);
      for (const customer of candidates) if (!judged.has(customer)) await judgeOne(customer, now);
      for (const { invited, inviter, points } of await listWaitingJudgements(database)) {
        const granted = await module.grantPoints(
          { customer: inviter, points, reason: 'invite', ref: String(invited) },
          now,
        );
        // If the fund is empty or money is halted, the grant is tried again later.
        if (granted.ok) await markInviteGranted(database, invited, now);
      }
    },
  };
  const job: Job = {
    on: 'housekeeper',
    async run(signal) {
      let since = new Date(module.clock.now().getTime() - AT_START_DAYS * DAY_MS);
      while (!signal.aborted) {
        const now = module.clock.now();
        try {
          await api.judge(since, now);
          // Overlaps with the previous period, to find rows that were committed late.
          since = new Date(now.getTime() - DAY_MS);
        } catch (error) {
          module.onFault(error);
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_EVERY_MS);
          signal.addEventListener(
            'abort',
            () => {
              clearTimeout(timer);
              resolve();
            },
            { once: true },
          );
        });
      }
    },
  };
  return { api, handlers: [listInvitesHandler(module)], jobs: [job] };
}
