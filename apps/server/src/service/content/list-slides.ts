import { listSlides, pictureUrl } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';

export function listSlidesHandler({ shownTo }: Content): Handler {
  return handle(listSlides, async ({ request, customer, language, now }) => {
    const banners = await shownTo(customer?.id ?? null, ['banner'], now);
    return accept(
      banners
        .filter(({ settings }) => settings.place === request.position)
        .map(({ entry, settings, words }) => {
          const { title, summary } = words(language);
          return { id: entry, picture: pictureUrl(settings.picture), link: settings.link, title, text: summary };
        }),
    );
  });
}
