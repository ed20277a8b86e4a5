import { useEffect, useSyncExternalStore } from 'react';
import { fill, type Params, useTexts } from './index.ts';

type Sentences<Key extends string> = Readonly<Record<Key, string>>;

/** The sentences of one page, which load with it, because the console's first file has little room. */
export class OwnSentences<Key extends string> {
  readonly english: Sentences<Key>;
  readonly #loadThai: () => Promise<{ readonly default: Sentences<Key> }>;
  readonly #listeners = new Set<() => void>();
  #thai: Sentences<Key> | undefined;

  constructor(english: Sentences<Key>, loadThai: () => Promise<{ readonly default: Sentences<Key> }>) {
    this.english = english;
    this.#loadThai = loadThai;
  }

  readonly thai = (): Sentences<Key> | undefined => this.#thai;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** English stays if the Thai sentences cannot be loaded. */
  async loadThai(): Promise<void> {
    if (this.#thai) return;
    this.#thai = await this.#loadThai().then(
      (module) => module.default,
      () => undefined,
    );
    for (const listener of this.#listeners) listener();
  }
}

export function useOwnTexts<Key extends string>(own: OwnSentences<Key>) {
  const { language } = useTexts();
  const thai = useSyncExternalStore(own.subscribe, own.thai);
  useEffect(() => {
    if (language === 'th') void own.loadThai();
  }, [language, own]);
  const sentences = (language === 'th' && thai) || own.english;
  return {
    say: (key: Key, params?: Params): string => fill(sentences[key], params),
    /** The sentence `<prefix>.<code>` for a code of the server, or the code itself if there is none. */
    word: (prefix: string, code: string, params?: Params): string =>
      fill((sentences as Readonly<Record<string, string>>)[`${prefix}.${code}`] ?? code.replaceAll('_', ' '), params),
  };
}
