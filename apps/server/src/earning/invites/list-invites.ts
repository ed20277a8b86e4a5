import { listInvites } from '@sathorn/api';
import { formatMoney } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readInvitePoints, readJudgements } from './invite-store.ts';
import type { InvitesDependencies } from './invites.ts';
import { POINTS_PER_INVITE, REWARDED_INVITES_PER_DAY } from './judge-invitation.ts';

const PAGE = 30;

/** Masks the names. Excludes what the invited people own, pay in, win or lose, because that is private. */
export function listInvitesHandler(module: InvitesDependencies): Handler {
  const { database, invitations, certifiedAmong, maskName } = module;
  return handle(listInvites, async ({ customer, request: { page = '' } }) => {
    const [ms = '', id = ''] = page.split('.');
    const before = id === '' ? null : { at: new Date(Number(ms)), id: BigInt(id) };
    const [rows, all, points] = await Promise.all([
      invitations.list(database, customer.id, before, PAGE + 1),
      invitations.idsOf(database, customer.id),
      readInvitePoints(database, customer.id),
    ]);
    const shown = rows.slice(0, PAGE);
    const [judged, certified] = await Promise.all([
      readJudgements(
        database,
        shown.map((row) => row.id),
      ),
      certifiedAmong(database, all),
    ]);
    const items = shown.map((row) => {
      const judgement = judged.get(row.id);
      const isWaiting = judgement?.finding === 'rewarded' && judgement.granted_at === null;
      return {
        name: maskName(row.username),
        at: row.created_at.toISOString(),
        certified: judgement !== undefined || certified.has(row.id),
        finding: judgement === undefined || isWaiting ? null : judgement.finding,
        points: judgement?.granted_at ? formatMoney(judgement.points) : '0',
      };
    });
    const last = shown.at(-1);
    return accept({
      items,
      next: rows.length > PAGE && last ? `${last.created_at.getTime()}.${last.id}` : null,
      came: all.length,
      certified: certified.size,
      points: formatMoney(points),
      rule: { points: formatMoney(POINTS_PER_INVITE), per_day: REWARDED_INVITES_PER_DAY },
    });
  });
}
