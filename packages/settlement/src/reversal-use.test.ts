import { expect, it } from 'vitest';
import { type ReversalMovement, type ReversalUseKind, reversalUseOf } from './reversal-use.ts';

const moved = (...given: readonly (readonly [ReversalUseKind, number])[]): readonly ReversalMovement[] =>
  given.map(([of, units]) => ({ of, units: BigInt(units) }));

it.each<[what: string, before: number, movements: readonly ReversalMovement[], use: readonly [number, number, number]]>(
  [
    ['nothing was done', 50, [], [0, 0, 0]],
    ['own money pays once: what it has paid is gone', 50, moved(['options', -50], ['contracts', -50]), [50, 0, 0]],
    ['own money sufficed', 100, moved(['options', -100], ['options', 178], ['out', -170]), [0, 0, 0]],
    ['all of a win was bet with it', 0, moved(['options', -100], ['options', 178]), [100, 78, 0]],
    ['a quarter of the stake was its', 75, moved(['options', -100], ['options', 180]), [25, 20, 0]],
    [
      'the stake comes back before the profit',
      50,
      moved(['options', -100], ['options', 100], ['options', 78]),
      [50, 39, 0],
    ],
    ['a gain that does not divide is rounded down', 2, moved(['options', -3], ['options', 5]), [1, 0, 0]],
    ['it was lost', 0, moved(['options', -100]), [100, 0, 0]],
    [
      'a loss is made up before a gain counts',
      0,
      moved(['options', -50], ['options', -50], ['options', 90]),
      [100, 0, 0],
    ],
    [
      'what is gained is bet again',
      0,
      moved(['options', -100], ['options', 180], ['options', -180], ['options', 324]),
      [100, 224, 0],
    ],
    ['it is still at work', 0, moved(['earning', -60], ['contracts', -40]), [100, 0, 0]],
    [
      'one product loses and another gains',
      0,
      moved(['options', -50], ['contracts', -50], ['contracts', 60]),
      [100, 10, 0],
    ],
    ['it left by a withdrawal', 30, moved(['out', -110]), [80, 0, 80]],
    ['the gain left too', 0, moved(['options', -100], ['options', 178], ['out', -178]), [100, 78, 178]],
    ['the withdrawal came back', 0, moved(['out', -80], ['out', 80]), [80, 0, 0]],
    ['a part came back and went to work', 20, moved(['out', -60], ['out', 60], ['options', -60]), [40, 0, 0]],
    ['other money that came in meanwhile pays first', 0, moved(['in', 100], ['out', -100]), [0, 0, 0]],
    ['a fee of its credit is paid from it', 0, moved(['in', -5], ['out', -95]), [95, 0, 95]],
    ['income without money in it is nobody’s gain', 0, moved(['earning', 3], ['rewards', 2], ['out', -5]), [0, 0, 0]],
    [
      'more is in use than was credited',
      0,
      moved(['options', -100], ['options', 300], ['options', -300]),
      [100, 200, 0],
    ],
  ],
)('when %s', (_what, before, movements, [used, gained, left]) => {
  expect(reversalUseOf({ before: BigInt(before), deposit: 100n, movements })).toEqual({
    used: BigInt(used),
    gained: BigInt(gained),
    left: BigInt(left),
  });
});
