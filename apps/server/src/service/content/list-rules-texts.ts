import { CONTENT_LANGUAGES, listRulesTexts } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PublishingModule } from './publishing.ts';
import { RULES_SUBJECTS } from './rules.ts';
import { listRulesRows } from './rules-store.ts';

/** Receipts name a text by its hash, so every text that was ever in force remains available unchanged. */
export function listRulesTextsHandler({ database, rules }: PublishingModule): Handler {
  return handle(listRulesTexts, async () => {
    const kept = await listRulesRows(database);
    return accept({
      items: kept
        .map(({ hash, subject, content, at }) => {
          const of = RULES_SUBJECTS.find((name) => name === subject);
          const isInForce = of !== undefined && rules.hash(of) === hash;
          return {
            of: subject,
            hash,
            in_force: isInForce,
            kept_at: at.toISOString(),
            texts:
              isInForce && of !== undefined
                ? CONTENT_LANGUAGES.map((lang) => ({ lang, content: rules.content(of, lang) }))
                : [{ lang: 'en' as const, content }],
          };
        })
        .sort((a, b) => Number(b.in_force) - Number(a.in_force)),
    });
  });
}
