import { expect, it } from 'vitest';
import { isLockingRewards, isSwitchedOn, REWARD_LOCK, switchOfferKind } from './brand-switches.ts';

const licences = { options: null, contracts: 'L1', earning: null };

it('locks rewards only if a brand has switched that on, with or without a licence', async () => {
  const inForce = (isOn: boolean | null) => () => (isOn === null ? null : { on_offer: isOn, licence: '' });
  expect([null, false, true].map((isOn) => isLockingRewards({ inForce: inForce(isOn) }))).toEqual([false, false, true]);
  const kind = switchOfferKind({ mode: 'live', licences });
  const change = (subject: string) => ({
    kind: 'switch',
    subject,
    version: 2,
    before: null,
    effectiveFrom: new Date(),
  });
  const after = { on_offer: true, licence: '', jurisdiction: '' };
  expect(await kind.check?.({} as never, { ...change(REWARD_LOCK), after })).toEqual([]);
  expect(await kind.check?.({} as never, { ...change('options'), after })).toMatchObject([{ ok: false }]);
});

it('offers a live product only under a licence', () => {
  const inForce = () => null;
  expect(isSwitchedOn({ mode: 'live', licences, inForce }, 'contracts')).toBe(true);
  expect(isSwitchedOn({ mode: 'live', licences, inForce }, 'options')).toBe(false);
  expect(isSwitchedOn({ mode: 'demo', licences, inForce }, 'options')).toBe(true);
});
