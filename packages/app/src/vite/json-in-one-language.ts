import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const ASKED = /^(.+\.json)\?(en|th)$/;

/** `./texts.json?th` imports only the Thai texts of a file with each key once: `{ "key": { "en": …, "th": … } }`. */
export function jsonInOneLanguage(): Plugin {
  return {
    name: 'sathorn-json-in-one-language',
    enforce: 'pre',
    load(id) {
      const [, file, language] = ASKED.exec(id) ?? [];
      if (!file || !language) return undefined;
      this.addWatchFile(file);
      const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>);
      const words = JSON.stringify(Object.fromEntries(texts.map(([key, each]) => [key, each[language]])));
      return `export default JSON.parse(${JSON.stringify(words)})`;
    },
  };
}
