import type { ContentKind, ContentLanguage, ContentSettings } from '@sathorn/api';
import ar from './ar.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import jp from './jp.json' with { type: 'json' };
import th from './th.json' with { type: 'json' };
import zh from './zh.json' with { type: 'json' };

// The contents of a new deployment before an operator has written anything. Bodies use the marks of the console's
// editor; `{brand}` stands for the brand's name.

interface FirstWords {
  readonly title: string;
  readonly summary?: string;
  /** Blocks of text, which are joined with an empty line between them. */
  readonly body?: readonly string[];
}
type Name = keyof typeof th;

export interface FirstEntry {
  /** Names the entry's texts. The entry's id is derived from `slot`. */
  readonly name: Name;
  readonly slot?: string;
  readonly kind: ContentKind;
  readonly mode?: 'demo' | 'live';
  readonly settings?: Partial<ContentSettings>;
}

/** Lists show them in reverse order, so the last one comes first. */
export const FIRST_ENTRIES: readonly FirstEntry[] = [
  { name: 'about', kind: 'about' },
  { name: 'intro', kind: 'intro', settings: { picture: '@page-intro' } },
  { name: 'company-demo', slot: 'company', kind: 'company', mode: 'demo' },
  { name: 'company-live', slot: 'company', kind: 'company', mode: 'live' },
  { name: 'share', kind: 'share' },
  { name: 'scroll-demo', slot: 'scroll', kind: 'scroll_notice', mode: 'demo' },
  { name: 'scroll-live', slot: 'scroll', kind: 'scroll_notice', mode: 'live' },
  {
    name: 'banner-sessions',
    kind: 'banner',
    settings: { picture: '@banner-sessions', place: 'user1', link: '/pages/mine/setting' },
  },
  { name: 'banner-index', kind: 'banner', settings: { picture: '@banner-index', link: '/pages/coinList/index' } },
  {
    name: 'banner-practice',
    kind: 'banner',
    mode: 'demo',
    settings: { picture: '@banner-practice', link: '/pages/Option/Option' },
  },
  { name: 'banner-verify', kind: 'banner', settings: { picture: '@banner-verify', link: '/pages/optionRule/index' } },
  { name: 'welfare-risks', kind: 'welfare', settings: { picture: '@welfare-risks', link: '/pages/mine/limits' } },
  { name: 'welfare-fees', kind: 'welfare', settings: { picture: '@welfare-fees', link: '/pages/mine/vipLevel' } },
  { name: 'welfare-box', kind: 'welfare', settings: { picture: '@welfare-box', link: '/pages/blindbox/index' } },
  { name: 'welfare-sign-in', kind: 'welfare', settings: { picture: '@welfare-sign-in', link: '/pages/index/singin' } },
  {
    name: 'activity-practice',
    kind: 'activity',
    mode: 'demo',
    settings: { picture: '@activity-practice', link: '/pages/Option/Option' },
  },
  { name: 'activity-guard', kind: 'activity', settings: { picture: '@activity-guard', link: '/pages/mine/security' } },
  {
    name: 'activity-receipt',
    kind: 'activity',
    settings: { picture: '@activity-receipt', link: '/pages/verify/index' },
  },
];

export const FIRST_TEXTS: Readonly<Record<ContentLanguage, Readonly<Record<Name, FirstWords>>>> = {
  th,
  en,
  zh,
  jp,
  ar,
  hi,
};
