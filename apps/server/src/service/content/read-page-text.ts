import { pictureUrl, readPageText } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';

export function readPageTextHandler({ shownTo }: Content): Handler {
  return handle(readPageText, async ({ request: { of }, language, now }) => {
    const [one] = await shownTo(null, [of], now);
    if (!one) return refuse('page_text_missing');
    const { title, body } = one.words(language);
    const { picture } = one.settings;
    return accept({
      title,
      picture: picture === '' ? '' : pictureUrl(picture),
      content: body,
      changed_at: one.changedAt.toISOString(),
    });
  });
}
