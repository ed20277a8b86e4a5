import * as v from 'valibot';
import { call } from './call.ts';
import { CURRENCIES, choice, decimal, id, noFields, page, text, time } from './fields.ts';

/** Whether a product is sold here, or why it is not. */
export const PRODUCT_STATES = ['open', 'no_licence'] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];

export const readConfig = call('GET /other/config', {
  who: 'anyone',
  summary: 'Configuration of the brand (act=system), share text (share) or the about text (about).',
  request: v.object({ act: choice(['system', 'share', 'about']) }),
  result: v.union([
    v.object({
      scroll_notice: v.string(),
      service_url: v.string(),
      appurl_android: v.string(),
      brand: v.string(),
      mode: v.picklist(['demo', 'live']),
      /** Where prices come from: `live`, or marked on every screen. */
      prices: v.picklist(['live', 'sim', 'replay']),
      products: v.object({ options: v.picklist(PRODUCT_STATES) }),
      currency: v.string(),
      area_code: v.string(),
      invite_required: v.boolean(),
    }),
    v.object({ text: v.string(), url: v.string(), code: v.string() }),
    v.object({ about: v.string() }),
  ]),
});

export const listSlides = call('GET /content/slide', {
  who: 'anyone',
  summary: 'Banners of a position.',
  request: v.object({ position: choice(['home', 'user1']) }),
  result: v.array(
    v.object({ id: v.string(), picture: v.string(), link: v.string(), title: v.string(), text: v.string() }),
  ),
});

export const listWins = call('GET /content/winnotice', {
  who: 'anyone',
  summary: 'Real wins of the last days, of customers who agreed, names masked.',
  request: noFields,
  result: v.array(v.object({ name: v.string(), kind: v.string(), coin: v.string(), amount: decimal, at: time })),
});

export const listRates = call('GET /third/currency/rate', {
  who: 'anyone',
  summary: 'What one USDT is in each display currency. Presentation only.',
  request: v.object({ code: v.optional(choice(CURRENCIES)) }),
  result: v.array(
    v.object({ code: v.picklist(CURRENCIES), unit: v.string(), rate: decimal, at: time, simulated: v.boolean() }),
  ),
});

const message = v.object({
  id: v.string(),
  title: v.string(),
  content: v.string(),
  status: v.picklist(['unread', 'read']),
  at: time,
});
export type Message = v.InferOutput<typeof message>;
export const listMessages = call('POST /users/message', {
  who: 'customer',
  summary: 'Notices of this customer.',
  request: v.object({ status: choice(['all', 'unread']), page }),
  result: v.object({ items: v.array(message), next: v.nullable(v.string()), unread: v.number() }),
});
export const listUnreadMessages = call('GET /users/message/unread', {
  who: 'customer',
  summary: 'Unread notices, newest first.',
  request: noFields,
  result: v.object({ items: v.array(message), unread: v.number() }),
});
export const markMessagesRead = call('POST /users/message/reader', {
  who: 'customer',
  summary: 'Mark notices as read: ids, comma separated, or `all`.',
  request: v.object({ ids: text(1, 4000) }),
  result: v.object({ unread: v.number() }),
});

export const readRules = call('GET /content/rules', {
  who: 'anyone',
  summary: 'The terms of a product in the caller’s language, and the hash that receipts name.',
  request: v.object({ of: choice(['options', 'agreement']) }),
  result: v.object({ content: v.string(), hash: v.string() }),
});

/** Only its owner sees a picture. */
export const readPicture = call('GET /users/picture', {
  who: 'customer',
  summary: 'One uploaded picture as a data URL.',
  request: v.object({ id }),
  result: v.object({ data_url: v.string() }),
  refusals: ['picture_unknown'],
});
