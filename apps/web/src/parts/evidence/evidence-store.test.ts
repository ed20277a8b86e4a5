import { expect, it } from 'vitest';
import { type EvidenceStore, fallBackStore } from './evidence-store.ts';

function store(isBroken = false): EvidenceStore & { kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  const fail = () => Promise.reject(new Error('no storage here'));
  return {
    kept,
    read: async (name) => (isBroken ? fail() : kept.get(name)),
    write: async (name, value) => {
      if (isBroken) return fail();
      kept.set(name, value);
      return true;
    },
    names: async () => (isBroken ? fail() : [...kept.keys()]),
  };
}

it('evidence is stored in the first store that works, and found in any of them', async () => {
  const [broken, second, third] = [store(true), store(), store()];
  const evidence = fallBackStore([broken, second, third]);
  expect(await evidence.write('a', 1)).toBe(true);
  expect([second.kept.get('a'), third.kept.size]).toEqual([1, 0]);
  third.kept.set('b', 2);
  expect([await evidence.read('a'), await evidence.read('b'), await evidence.read('c')]).toEqual([1, 2, undefined]);
  expect((await evidence.names()).sort()).toEqual(['a', 'b']);
  expect(await fallBackStore([broken]).write('a', 1)).toBe(false);
});
