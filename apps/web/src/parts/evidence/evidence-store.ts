/** A device's storage for evidence: JSON values by name. If one store fails, the next one is used. */
export interface EvidenceStore {
  read(name: string): Promise<unknown>;
  /** Resolves to true if the value is stored, and to false if it is only in this page's memory. */
  write(name: string, value: unknown): Promise<boolean>;
  /** The names of the stored values. */
  names(): Promise<string[]>;
}

const DATABASE = 'evidence';
const TABLE = 'kept';
const PREFIX = 'evidence:';

function asPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the database of this device failed'));
  });
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
  return asPromise(opening);
}

function inDatabase(): EvidenceStore {
  const opened = openDatabase();
  // Each caller handles the error itself.
  opened.catch(() => undefined);
  return {
    read: async (name) => asPromise((await opened).transaction(TABLE).objectStore(TABLE).get(name)),
    async write(name, value) {
      const transaction = (await opened).transaction(TABLE, 'readwrite', { durability: 'strict' });
      transaction.objectStore(TABLE).put(value, name);
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('not kept'));
      });
      return true;
    },
    names: async () => (await asPromise((await opened).transaction(TABLE).objectStore(TABLE).getAllKeys())).map(String),
  };
}

function inLocalStorage(storage: () => Storage): EvidenceStore {
  return {
    async read(name) {
      const text = storage().getItem(PREFIX + name);
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
    async write(name, value) {
      storage().setItem(PREFIX + name, JSON.stringify(value));
      return true;
    },
    names: async () =>
      Object.keys(storage()).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])),
  };
}

function inMemory(): EvidenceStore {
  const kept = new Map<string, unknown>();
  return {
    read: async (name) => kept.get(name),
    async write(name, value) {
      kept.set(name, value);
      return false;
    },
    names: async () => [...kept.keys()],
  };
}

/**
 * Tries the stores in order: private windows have no database, and some have no storage at all. A value is read from
 * the first store that has it.
 */
export function fallBackStore(stores: readonly EvidenceStore[]): EvidenceStore {
  return {
    async read(name) {
      for (const store of stores) {
        const value = await store.read(name).catch(() => undefined);
        if (value !== undefined) return value;
      }
      return undefined;
    },
    async write(name, value) {
      for (const store of stores) {
        const kept = await store.write(name, value).catch(() => undefined);
        if (kept !== undefined) return kept;
      }
      return false;
    },
    async names() {
      const all = await Promise.all(stores.map((store) => store.names().catch(() => [])));
      return [...new Set(all.flat())];
    },
  };
}

let database: EvidenceStore | undefined;
/** This device's database alone, for values that are no JSON. Its calls fail in windows that have none. */
export function openEvidenceDatabase(): EvidenceStore {
  database ??= inDatabase();
  return database;
}

let opened: EvidenceStore | undefined;

export function openEvidenceStore(): EvidenceStore {
  opened ??= fallBackStore([
    ...(typeof indexedDB === 'undefined' ? [] : [openEvidenceDatabase()]),
    inLocalStorage(() => localStorage),
    inMemory(),
  ]);
  return opened;
}
