interface Told {
  readonly title?: unknown;
  readonly body?: unknown;
  readonly tag?: unknown;
  readonly path?: unknown;
  readonly lang?: unknown;
  readonly dir?: unknown;
  readonly at?: unknown;
}
interface OpenWindow {
  readonly url: string;
  readonly visibilityState: string;
  focus(): Promise<OpenWindow>;
  navigate(url: string): Promise<unknown>;
}
interface WorkerEvent {
  readonly data?: { json(): unknown } | null;
  readonly notification: { readonly data?: { readonly path?: unknown } | null; close(): void };
  waitUntil(work: Promise<unknown>): void;
}
/** The used part of a service worker's global scope. */
export interface WorkerScope {
  readonly location: { readonly origin: string };
  readonly registration: { showNotification(title: string, options: object): Promise<void> };
  readonly clients: {
    matchAll(options: object): Promise<readonly OpenWindow[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'push' | 'notificationclick', listener: (event: WorkerEvent) => void): void;
}

/**
 * Shows pushed messages, and opens a message's page when it is tapped. The build appends this function's text to the
 * service worker, so it may not use anything outside its body.
 */
export function handlePushes(worker: WorkerScope, brand: { readonly title: string; readonly icon: string }): void {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

  worker.addEventListener('push', (event) => {
    let told: Told = {};
    try {
      told = (event.data?.json() ?? {}) as Told;
    } catch {
      // A browser withdraws the permission from a site that shows nothing for a push, so the brand's name is shown.
    }
    const options = {
      body: text(told.body),
      // The tag lets a repeated notification replace the first one.
      tag: text(told.tag),
      lang: text(told.lang),
      dir: told.dir === 'rtl' ? 'rtl' : 'ltr',
      icon: brand.icon,
      badge: brand.icon,
      timestamp: typeof told.at === 'number' ? told.at : Date.now(),
      data: { path: text(told.path) },
    };
    event.waitUntil(worker.registration.showNotification(text(told.title) ?? brand.title, options));
  });

  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const path = text(event.notification.data?.path) ?? '';
    // A path after the hash cannot leave this origin, whatever the push contains.
    const page = /^\/pages\/[A-Za-z/_-]+$/.test(path) ? path : '/pages/index/msgList';
    const url = `${worker.location.origin}/#${page}`;
    const open = async (): Promise<void> => {
      const all = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
      // Leaves out the console, which a demonstration serves from the same host.
      const own = all.filter((client) => new URL(client.url).pathname === '/');
      const chosen = own.find((client) => client.visibilityState === 'visible') ?? own[0];
      try {
        if (chosen === undefined) throw new Error('no window is open');
        await (await chosen.focus()).navigate(url);
      } catch {
        await worker.clients.openWindow(url);
      }
    };
    event.waitUntil(open());
  });
}
