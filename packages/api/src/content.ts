import * as v from 'valibot';
import { call } from './call.ts';
import { CURRENCIES, choiceOf, decimalText, isoTime, noFields } from './fields.ts';

/** The state of a product in this deployment: sold, or not for lack of a licence. */
const PRODUCT_STATES = ['open', 'no_licence'] as const;
export type ProductState = (typeof PRODUCT_STATES)[number];

export const readConfig = call('GET /other/config', {
  who: 'anyone',
  summary: 'Configuration of the brand (act=system), share text (share) or the about text (about).',
  request: v.object({ act: choiceOf(['system', 'share', 'about']) }),
  result: v.union([
    v.object({
      scroll_notice: v.string(),
      service_url: v.string(),
      appurl_android: v.string(),
      brand: v.string(),
      mode: v.picklist(['demo', 'live']),
      /** The origin of prices: `live`, or a simulated or replayed one, which every screen marks. */
      prices: v.picklist(['live', 'sim', 'replay']),
      products: v.object({ options: v.picklist(PRODUCT_STATES) }),
      currency: v.string(),
      area_code: v.string(),
      invite_required: v.boolean(),
      /** The phone number of a help line for people whom trading harms; null if the brand has none. */
      help_line: v.nullable(v.string()),
      /** The origin of this platform's practice platform; null without one. */
      practice_url: v.nullable(v.string()),
      /** On a practice platform, the origin of the real one. All its money is play money. */
      practice_of: v.nullable(v.string()),
    }),
    v.object({ text: v.string(), url: v.string(), code: v.string() }),
    v.object({ about: v.string() }),
  ]),
});

export const listSlides = call('GET /content/slide', {
  who: 'anyone',
  summary: 'Banners of a position.',
  request: v.object({ position: choiceOf(['home', 'user1']) }),
  result: v.array(
    v.object({ id: v.string(), picture: v.string(), link: v.string(), title: v.string(), text: v.string() }),
  ),
});

export const listWins = call('GET /content/winnotice', {
  who: 'anyone',
  summary: 'Real wins of the last days, of customers who agreed, names masked.',
  request: noFields,
  result: v.array(v.object({ name: v.string(), kind: v.string(), coin: v.string(), amount: decimalText, at: isoTime })),
});

export const listRates = call('GET /third/currency/rate', {
  who: 'anyone',
  summary: 'What one USDT is in each display currency. Presentation only.',
  request: v.object({ code: v.optional(choiceOf(CURRENCIES)) }),
  result: v.array(
    v.object({
      code: v.picklist(CURRENCIES),
      unit: v.string(),
      rate: decimalText,
      at: isoTime,
      simulated: v.boolean(),
    }),
  ),
});
