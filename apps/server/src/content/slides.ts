import type { listSlides, ResultOf } from '@sathorn/api';
import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';

type Position = 'home' | 'user1';

/** Where each banner is shown, and the app route to which it leads. Its picture and text are found by its name. */
const SLIDES = [
  { name: 'verify', position: 'home', link: '/pages/optionRule/index' },
  { name: 'practice', position: 'home', link: '/pages/Option/Option', mode: 'demo' },
  { name: 'index', position: 'home', link: '/pages/coinList/index' },
  { name: 'sessions', position: 'user1', link: '/pages/mine/setting' },
] as const satisfies readonly { name: string; position: Position; link: string; mode?: 'demo' }[];

/** Our own picture files, which the edge serves from this folder. */
export const PICTURES_FOLDER = `${import.meta.dirname}/pictures`;

export function slidesOf(position: Position, mode: 'demo' | 'live', language: Language): ResultOf<typeof listSlides> {
  return SLIDES.filter((slide) => slide.position === position && (!('mode' in slide) || slide.mode === mode)).map(
    ({ name, link }) => ({
      id: name,
      picture: `/pictures/banner-${name}.svg`,
      link,
      title: translate(language, `content.slide.${name}.title`),
      text: translate(language, `content.slide.${name}.text`),
    }),
  );
}
