import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reloadNewest } from './reload-newest.ts';

/** A fake service worker with the parts that the code uses. */
class Worker extends EventTarget {
  state = 'installing';
  readonly told: unknown[] = [];
  readonly #onTold: () => void;
  constructor(onTold: () => void = () => undefined) {
    super();
    this.#onTold = onTold;
  }
  postMessage(message: unknown): void {
    this.told.push(message);
    this.#onTold();
  }
}

describe('reloading the page', () => {
  const reload = vi.fn();
  const container = Object.assign(new EventTarget(), { getRegistration: async (): Promise<unknown> => undefined });
  const takeOver = () => void container.dispatchEvent(new Event('controllerchange'));
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('location', { reload });
    vi.stubGlobal('navigator', { serviceWorker: container });
    container.getRegistration = async () => undefined;
    reload.mockReset();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('is a plain reload without a worker', async () => {
    await reloadNewest();
    vi.stubGlobal('navigator', {});
    await reloadNewest();
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('is a plain reload if the worker is the newest, or its version is unknown', async () => {
    container.getRegistration = async () => ({ update: async () => undefined, installing: null, waiting: null });
    await reloadNewest();
    container.getRegistration = async () => ({ update: () => Promise.reject(new TypeError('offline')) });
    await reloadNewest();
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it('activates a waiting worker first', async () => {
    const waiting = new Worker();
    container.getRegistration = async () => ({ update: async () => undefined, installing: null, waiting });
    const done = reloadNewest();
    await vi.advanceTimersByTimeAsync(100);
    expect(waiting.told).toEqual([{ type: 'SKIP_WAITING' }]);
    expect(reload).not.toHaveBeenCalled();
    takeOver();
    await done;
    expect(reload).toHaveBeenCalledOnce();
  });

  it('finds a newer worker, and waits until it has cached its files', async () => {
    const found = new Worker(takeOver);
    const registration = {
      update: async () => undefined,
      installing: found as Worker | null,
      waiting: null as unknown,
    };
    container.getRegistration = async () => registration;
    const done = reloadNewest();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(found.told).toEqual([]);
    Object.assign(registration, { installing: null, waiting: found });
    found.state = 'installed';
    found.dispatchEvent(new Event('statechange'));
    await done;
    expect(found.told).toHaveLength(1);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('waits only briefly for a worker', async () => {
    container.getRegistration = () => new Promise(() => undefined);
    const done = reloadNewest();
    await vi.advanceTimersByTimeAsync(10_000);
    await done;
    expect(reload).toHaveBeenCalledOnce();
  });
});
