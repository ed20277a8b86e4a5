import { PUSH_KINDS, type PushKind } from '@sathorn/api';
import { type Language, textDirectionOf } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { type Messages, PUSHED_TEMPLATES } from '../messages/index.ts';

export type PushKindSwitches = Readonly<Record<PushKind, boolean>>;
type Kind = PushKind | 'security';

const HOUR_S = 3_600;
/** How long a push service keeps a notification for a browser that is not connected. A late price would mislead. */
const TTL_S: Readonly<Record<Kind, number>> = {
  prices: HOUR_S,
  money: 24 * HOUR_S,
  answers: 24 * HOUR_S,
  security: 72 * HOUR_S,
};
const NOTICES = '/pages/index/msgList';
const PATHS: Readonly<Record<string, string>> = {
  price_above: '/pages/coinList/alerts',
  price_below: '/pages/coinList/alerts',
  order_triggered: '/pages/contracts/orderList',
  order_not_placed: '/pages/contracts/orderList',
  recurring_skipped: '/pages/contracts/recurring',
  lockup_renewed: '/pages/Lock-up/record/record',
  lockup_not_renewed: '/pages/Lock-up/record/record',
  deposit_subscribed: '/pages/Lock-up/standing',
  deposit_not_subscribed: '/pages/Lock-up/standing',
  support_answered: '/pages/service/index',
  push_on: '/pages/mine/setting/push',
};
/** Notices about acts of staff, which the customer can't undo by freezing the account. */
const BY_STAFF = new Set(['account_frozen']);

/** The first notification of a device, which shows that notifications arrive. */
export const WELCOME_TEMPLATE = 'push_on';

export function isPushWanted(template: string, kinds: PushKindSwitches): boolean {
  const kind = PUSHED_TEMPLATES.get(template);
  return kind === 'security' || (kind !== undefined && kinds[kind]);
}

const kindOf = (template: string): Kind => PUSHED_TEMPLATES.get(template) ?? 'answers';

export const pushSecondsToLive = (template: string): number => TTL_S[kindOf(template)];

/** The urgency, which the push service may know: whether it should wake the device now. */
export function pushUrgencyOf(template: string): 'high' | 'normal' {
  const kind = kindOf(template);
  return kind === 'prices' || kind === 'security' ? 'high' : 'normal';
}

function bodyOf(template: string, language: Language, brand: string): string {
  if (template === WELCOME_TEMPLATE) return translate(language, 'push.on.content');
  const kind = kindOf(template);
  if (kind === 'prices') return translate(language, 'push.price', { brand });
  if (kind === 'security' && !BY_STAFF.has(template)) return translate(language, 'push.not_you', { brand });
  return translate(language, 'push.details', { brand });
}

/** The notification that the app's service worker shows. */
interface PushText {
  readonly title: string;
  readonly body: string;
  /** A repeated message replaces the one with the same tag. */
  readonly tag: string;
  readonly path: string;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly at: number;
}

interface Pushed {
  readonly message: string;
  readonly template: string;
  readonly params: Readonly<Record<string, string>>;
  readonly at: Date;
}

/**
 * The notification for a lock screen, which others may see: the notice's title and where to read the rest. It contains
 * no balance, amount or code. Null if the template no longer exists.
 */
export function wordPush(
  { message, template, params, at }: Pushed,
  language: Language,
  { messages, brand }: { readonly messages: Pick<Messages, 'title'>; readonly brand: string },
): PushText | null {
  const title =
    template === WELCOME_TEMPLATE
      ? translate(language, 'push.on.title', { brand })
      : messages.title(template, params, language);
  if (title === null) return null;
  return {
    title,
    body: bodyOf(template, language, brand),
    tag: message,
    path: PATHS[template] ?? NOTICES,
    lang: HTML_LANG[language],
    dir: textDirectionOf(language),
    at: at.getTime(),
  };
}

const HTML_LANG: Readonly<Record<Language, string>> = { th: 'th', en: 'en', zh: 'zh-CN', jp: 'ja', ar: 'ar', hi: 'hi' };

export const pushKindSwitchesOf = (row: PushKindSwitches): Record<PushKind, boolean> =>
  Object.fromEntries(PUSH_KINDS.map((kind) => [kind, row[kind]])) as Record<PushKind, boolean>;
