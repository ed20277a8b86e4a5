import { use, useSyncExternalStore } from 'react';
import { fillParams, loadTexts, type TextParams, useTexts } from './index.ts';

type Sentences<Key extends string> = Readonly<Record<Key, string>>;

/** The sentences of every page that has been opened. */
const opened = new Set<{ loadThai(): Promise<void> }>();

/** The sentences of one page. They load with the page, because the console's first file must stay small. */
export class OwnSentences<Key extends string> {
  readonly english: Sentences<Key>;
  readonly #loadThai: () => Promise<{ readonly default: Sentences<Key> }>;
  readonly #listeners = new Set<() => void>();
  #thai: Sentences<Key> | undefined;
  #loading: Promise<void> | undefined;

  constructor(english: Sentences<Key>, loadThai: () => Promise<{ readonly default: Sentences<Key> }>) {
    this.english = english;
    this.#loadThai = loadThai;
    opened.add(this);
  }

  readonly thai = (): Sentences<Key> | undefined => this.#thai;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Loads the Thai sentences once. If they cannot be loaded, English stays. */
  loadThai(): Promise<void> {
    this.#loading ??= this.#loadThai().then(
      (module) => {
        this.#thai = module.default;
        for (const listener of this.#listeners) listener();
      },
      () => undefined,
    );
    return this.#loading;
  }
}

/** Loads the Thai sentences of everything on the screen, so that no part stays English for a moment. */
export async function loadAllTexts(language: string): Promise<void> {
  if (language !== 'th') return;
  await Promise.allSettled([loadTexts(language), ...[...opened].map((own) => own.loadThai())]);
}

export function useOwnTexts<Key extends string>(own: OwnSentences<Key>) {
  const { language } = useTexts();
  const thai = useSyncExternalStore(own.subscribe, own.thai);
  // A page that opens in Thai waits for its sentences in the same way as for its code.
  if (language === 'th' && !thai) use(own.loadThai());
  const sentences = (language === 'th' && thai) || own.english;
  return {
    say: (key: Key, params?: TextParams): string => fillParams(sentences[key], params),
    /** Returns the sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
    word: (prefix: string, code: string, params?: TextParams): string =>
      fillParams(
        (sentences as Readonly<Record<string, string>>)[`${prefix}.${code}`] ?? code.replaceAll('_', ' '),
        params,
      ),
  };
}
