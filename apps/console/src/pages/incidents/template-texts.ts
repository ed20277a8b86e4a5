import type { INCIDENT_PARTS, INCIDENT_SEVERITIES } from '@sathorn/api';
import templates from './templates.json' with { type: 'json' };

const LANGUAGES = ['en', 'th', 'zh', 'jp', 'ar', 'hi'] as const;
const COMMAS = { en: ', ', th: ', ', zh: '、', jp: '・', ar: '، ', hi: ', ' } as const;

/** The usual first words about an incident, in all six languages. The operator edits them before they are published. */
export function templateTexts(
  severity: (typeof INCIDENT_SEVERITIES)[number],
  parts: readonly (typeof INCIDENT_PARTS)[number][],
): Readonly<Record<(typeof LANGUAGES)[number], string>> {
  const textIn = (language: (typeof LANGUAGES)[number]): string => {
    const names = parts.map((part) => templates.parts[part][language]).join(COMMAS[language]);
    return templates.sentences[severity][language].replace('{parts}', names);
  };
  return Object.fromEntries(LANGUAGES.map((language) => [language, textIn(language)])) as Record<
    (typeof LANGUAGES)[number],
    string
  >;
}
