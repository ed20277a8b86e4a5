import { listReadyAnswers } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { READY_KIND } from './ready-answers.ts';
import type { SupportDependencies } from './support.ts';
import { listReady } from './support-store.ts';

export function listReadyAnswersHandler(module: SupportDependencies): Handler {
  return handle(listReadyAnswers, async ({ request: { lang = 'en' } }) => {
    const rows = await listReady(module.database);
    return accept(
      await Promise.all(
        rows.map(async ({ code, version, texts }) => {
          const language = texts[lang] === undefined ? ('en' as const) : lang;
          const isWaiting = await module.isApprovalWaiting(module.database, READY_KIND, code);
          return { code, version, language, text: texts[language] ?? '', texts, is_waiting: isWaiting };
        }),
      ),
    );
  });
}
