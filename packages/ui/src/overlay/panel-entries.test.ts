import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

/** A fake browser history: moves are asynchronous, and of several pending moves only the last one counts. */
function fakeHistory() {
  let entries: { hash: string; state: unknown }[] = [];
  let place = 0;
  const listeners: (() => void)[] = [];
  const history = {
    get state() {
      return entries[place]?.state ?? null;
    },
    pushState(state: unknown, _: string, hash = entries[place]?.hash ?? '') {
      entries = [...entries.slice(0, place + 1), { hash, state }];
      place += 1;
    },
    replaceState(state: unknown, _: string, hash = entries[place]?.hash ?? '') {
      entries[place] = { hash, state };
    },
    go(by: number) {
      setTimeout(() => {
        if (!entries[place + by]) return;
        place += by;
        for (const listener of listeners) listener();
      }, 5);
    },
  };
  return {
    history,
    listen: (name: string, listener: () => void) => name === 'popstate' && listeners.push(listener),
    begin: (first: typeof entries) => {
      entries = first;
      place = first.length - 1;
    },
    /** Returns the entries without their trails. */
    shown: () =>
      entries.slice(0, place + 1).map(({ hash, state }) => {
        const { panels } = (state ?? {}) as { panels?: number };
        return hash + (panels ? JSON.stringify({ panels }) : '');
      }),
    location: {
      get hash() {
        return entries[place]?.hash ?? '';
      },
      /** Typing an address adds a new entry without a state. */
      set hash(hash: string) {
        history.pushState(null, '', hash);
        for (const listener of listeners) listener();
      },
    },
  };
}

let browser: ReturnType<typeof fakeHistory>;
let module: typeof import('./panel-entries.ts');

async function load(...first: { hash: string; state: unknown }[]) {
  vi.useFakeTimers();
  vi.resetModules();
  browser = fakeHistory();
  browser.begin(first);
  vi.stubGlobal('window', {});
  vi.stubGlobal('history', browser.history);
  vi.stubGlobal('location', browser.location);
  vi.stubGlobal('addEventListener', browser.listen);
  module = await import('./panel-entries.ts');
  await settle();
}
const settle = () => vi.advanceTimersByTimeAsync(50);
const back = async () => {
  browser.history.go(-1);
  await settle();
};
const ONE = '{"panels":1}';
const TWO = '{"panels":2}';

/** A panel that stays open until it is closed, as on a screen. */
function open(canClose = true): { isOpen: () => boolean; close: () => void } {
  let remove: (() => void) | undefined = module.addPanelEntry({
    close: () => {
      if (canClose) close();
      return canClose;
    },
  });
  const close = () => {
    remove?.();
    remove = undefined;
  };
  return { isOpen: () => remove !== undefined, close };
}

// Test files share processes: the next file has no browser and its own copy of the module.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});
beforeEach(() => load({ hash: '#/a', state: null }, { hash: '#/b', state: null }));

test('going back closes the topmost panel, then the one under it, then leaves the page', async () => {
  const under = open();
  const over = open();
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b', `#/b${ONE}`, `#/b${TWO}`]);
  await back();
  expect([under.isOpen(), over.isOpen()]).toEqual([true, false]);
  await back();
  expect(under.isOpen()).toBe(false);
  expect(browser.shown()).toEqual(['#/a', '#/b']);
  await back();
  expect(browser.shown()).toEqual(['#/a']);
});

test('a panel closed by hand leaves no entry, also under one that stays open', async () => {
  const under = open();
  const over = open();
  await settle();
  under.close();
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b', `#/b${ONE}`]);
  over.close();
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b']);
});

test('a panel that replaces another takes over its entry', async () => {
  const first = open();
  await settle();
  const goes = vi.spyOn(browser.history, 'go');
  first.close();
  open();
  await settle();
  expect(goes).not.toHaveBeenCalled();
  expect(browser.shown()).toEqual(['#/a', '#/b', `#/b${ONE}`]);
});

test('a panel that opens while the browser still leaves the last panel’s entry gets its own', async () => {
  open().close();
  const first = open();
  await settle();
  first.close();
  await vi.advanceTimersByTimeAsync(2);
  open();
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b', `#/b${ONE}`]);
});

test('a panel with a request in flight stays open, and so does its entry', async () => {
  const panel = open(false);
  await settle();
  await back();
  expect(panel.isOpen()).toBe(true);
  expect(browser.shown()).toEqual(['#/a', '#/b', `#/b${ONE}`]);
});

test('a jump over several entries closes all panels of the page', async () => {
  const panels = [open(), open()];
  await settle();
  browser.history.go(-3);
  await settle();
  expect(panels.map((panel) => panel.isOpen())).toEqual([false, false]);
  expect(browser.shown()).toEqual(['#/a']);
});

test('a page opened from a panel takes over its entry at once', async () => {
  const panels = [open()];
  await settle();
  module.writeHash('#/c', false, () => undefined);
  expect(browser.shown()).toEqual(['#/a', '#/b', '#/c']);
  for (const panel of panels) panel.close();
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b', '#/c']);
});

test('a page opened from a panel over another panel leaves neither behind', async () => {
  const panels = [open(), open()];
  await settle();
  const onWritten = vi.fn(() => {
    for (const panel of panels) panel.close();
  });
  module.writeHash('#/c', false, onWritten);
  await settle();
  expect(onWritten).toHaveBeenCalledOnce();
  expect(browser.shown()).toEqual(['#/a', '#/b', '#/c']);
});

test('replacing a page from a panel replaces the page under it', async () => {
  const panel = open();
  await settle();
  module.writeHash('#/b?x', true, () => panel.close());
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b?x']);
});

test('pages opened while the browser is going back follow one another', async () => {
  const panel = open();
  await settle();
  panel.close();
  await vi.advanceTimersByTimeAsync(1);
  module.writeHash('#/c', false, () => undefined);
  module.writeHash('#/d', false, () => undefined);
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b', '#/c', '#/d']);
});

test('an address typed while the browser is going back stays', async () => {
  const panel = open();
  await settle();
  panel.close();
  await vi.advanceTimersByTimeAsync(1);
  browser.location.hash = '#/typed';
  await settle();
  expect(browser.location.hash).toBe('#/typed');
  await back();
  await back();
  expect(browser.shown()).toEqual(['#/a']);
});

test('a reload with open panels leaves their entries at once', async () => {
  await load(
    { hash: '#/b', state: null },
    { hash: '#/b', state: { panels: 1 } },
    { hash: '#/b', state: { panels: 2 } },
  );
  expect(browser.shown()).toEqual(['#/b']);
});

test('going forward does not reopen a panel', async () => {
  open();
  await settle();
  await back();
  browser.history.go(1);
  await settle();
  expect(browser.shown()).toEqual(['#/a', '#/b']);
});

test('a move that the browser drops does not block the next one', async () => {
  const panel = open();
  await settle();
  vi.spyOn(browser.history, 'go').mockImplementationOnce(() => undefined);
  panel.close();
  await settle();
  const onWritten = vi.fn();
  module.writeHash('#/c', false, onWritten);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(onWritten).toHaveBeenCalledOnce();
  expect(browser.shown()).toEqual(['#/a', '#/b', '#/c']);
});

describe('a step back of the app', () => {
  const nothing = () => undefined;
  beforeEach(() => load({ hash: '#/elsewhere', state: null }, { hash: '#/hub', state: null }));

  test('also goes back in the history, so the phone’s next Back continues from there', async () => {
    module.writeHash('#/btc', false, nothing);
    module.writeHash('#/records', false, nothing);
    const onWritten = vi.fn();
    module.returnToHash('#/btc', onWritten);
    await settle();
    module.returnToHash('#/hub', onWritten);
    await settle();
    expect(onWritten).toHaveBeenCalledTimes(2);
    expect(browser.shown()).toEqual(['#/elsewhere', '#/hub']);
    await back();
    expect(browser.shown()).toEqual(['#/elsewhere']);
  });

  test('two steps in one turn go back twice', async () => {
    module.writeHash('#/btc', false, nothing);
    module.writeHash('#/records', false, nothing);
    module.returnToHash('#/btc', nothing);
    module.returnToHash('#/hub', nothing);
    await settle();
    expect(browser.shown()).toEqual(['#/elsewhere', '#/hub']);
  });

  test('skips pages that the app does not return to', async () => {
    module.writeHash('#/login', false, nothing);
    module.writeHash('#/records', false, nothing);
    module.returnToHash('#/hub', nothing);
    await settle();
    expect(browser.shown()).toEqual(['#/elsewhere', '#/hub']);
  });

  test('also leaves a panel’s entry', async () => {
    module.writeHash('#/btc', false, nothing);
    const panel = open();
    await settle();
    module.returnToHash('#/hub', panel.close);
    await settle();
    expect(browser.shown()).toEqual(['#/elsewhere', '#/hub']);
  });

  test('replaces this page if the history lacks the target', async () => {
    module.writeHash('#/btc', false, nothing);
    module.writeHash('#/records', true, nothing);
    module.returnToHash('#/home', nothing);
    await settle();
    expect(browser.shown()).toEqual(['#/elsewhere', '#/hub', '#/home']);
  });
});
