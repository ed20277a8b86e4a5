import { plainText, type ResultOf, readConfig } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';

/** The version code of the specification's app 1.0.0. Apps with a lower one ask the customer to update. */
const APP_VERSION_CODE = 109;

type Config = ResultOf<typeof readConfig>;

async function systemConfig(content: Content, language: Language, now: Date): Promise<Config> {
  const { brand, mode, prices, products, baseUrl, serviceUrl, practiceUrl, practiceOf, shownTo } = content;
  const [notice] = await shownTo(null, ['scroll_notice'], now);
  return {
    scroll_notice: notice?.words(language).title ?? '',
    service_url: serviceUrl ?? `${baseUrl}/#/pages/service/index`,
    appurl_android: `${baseUrl}/?v=${APP_VERSION_CODE}`,
    brand: brand.id,
    mode,
    prices,
    products,
    currency: brand.currency,
    area_code: brand.areaCode,
    invite_required: brand.inviteRequired,
    help_line: brand.helpLine,
    practice_url: practiceUrl,
    practice_of: practiceOf,
  };
}

/** Visitors and customers who may not invite get a link without a code. */
async function shareConfig(content: Content, customer: bigint | null, language: Language, now: Date): Promise<Config> {
  const code = customer === null ? null : await content.inviteCodeOf(customer);
  const [share] = await content.shownTo(null, ['share'], now);
  const page = `${content.baseUrl}/#/pages/login/regist`;
  return {
    text: share?.words(language).title ?? content.brand.title,
    url: code === null ? page : `${page}?code=${encodeURIComponent(code)}`,
    code: code ?? '',
  };
}

export function readConfigHandler(content: Content): Handler {
  return handle(readConfig, async ({ request, customer, language, now }) => {
    if (request.act === 'system') return accept(await systemConfig(content, language, now));
    if (request.act === 'share') return accept(await shareConfig(content, customer?.id ?? null, language, now));
    const [about] = await content.shownTo(null, ['about'], now);
    return accept({ about: about ? plainText(about.words(language).body) : '' });
  });
}
