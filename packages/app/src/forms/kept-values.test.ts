import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetFormDrafts, openFormDraft, openKeptValues } from './kept-values.ts';

describe('text typed into a form', () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    });
  });
  afterEach(() => void vi.unstubAllGlobals());
  const kept = openKeptValues<{ name: string; password: string }>('test', ['name']);

  it('is kept across a reload, except for secrets', () => {
    kept.write({ name: 'mali', password: 'Mekong77' });
    expect(kept.read()).toEqual({ name: 'mali' });
    expect([...stored.values()].join()).not.toContain('Mekong77');
    kept.forget();
    expect(kept.read()).toEqual({});
  });

  it.each(['none', 'null', '[]', '{"name":7,"other":"x","password":"y"}'])(
    'reads as nothing if %s is stored',
    (text) => {
      stored.set('typed:test', text);
      expect(kept.read()).toEqual({});
    },
  );

  it('is all that is lost if a browser stores nothing', () => {
    vi.stubGlobal('sessionStorage', undefined);
    kept.write({ name: 'mali', password: '' });
    kept.forget();
    expect(kept.read()).toEqual({});
  });

  it('is a draft of one person on one page: typed text without secrets and consents', () => {
    const initial = { name: 'Mali', number: '', password: '', code: '', agree: '' };
    const draft = openFormDraft('#/page', '7', initial);
    draft.write({ ...initial, number: '12', password: 'Mekong77', code: '123456', agree: 'true' });
    expect(draft.read()).toEqual({ number: '12' });
    expect(openFormDraft('#/page', '8', initial).read()).toEqual({});
    expect(openFormDraft('#/other', '7', initial).read()).toEqual({});
    draft.write(initial);
    expect(stored.size).toBe(0);
  });

  it('is deleted when its person signs out', () => {
    const draft = openFormDraft('#/page', '7', { name: '' });
    draft.write({ name: 'Mali' });
    vi.stubGlobal('sessionStorage', Object.assign(sessionStorage, Object.fromEntries(stored)));
    forgetFormDrafts();
    expect(draft.read()).toEqual({});
  });
});
