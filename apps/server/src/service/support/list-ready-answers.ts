import { listReadyAnswers } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { READY_ANSWER_APPROVAL } from './ready-answers.ts';
import type { SupportDependencies } from './support.ts';
import { listReadyAnswerRows } from './support-store.ts';

export function listReadyAnswersHandler(module: SupportDependencies): Handler {
  return handle(listReadyAnswers, async ({ request: { lang = 'en' } }) => {
    const rows = await listReadyAnswerRows(module.database);
    return accept(
      await Promise.all(
        rows.map(async ({ code, version, texts }) => {
          const language = texts[lang] === undefined ? ('en' as const) : lang;
          const isWaiting = await module.isApprovalWaiting(module.database, READY_ANSWER_APPROVAL, code);
          return { code, version, language, text: texts[language] ?? '', texts, is_waiting: isWaiting };
        }),
      ),
    );
  });
}
