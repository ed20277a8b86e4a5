import { type ResultOf, readConfig } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { Language } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { type Handler, handle } from '../edge/index.ts';
import type { Content } from './open-content.ts';

/** The specification's code of app version 1.0.0. An app with a lower one asks its customer to update. */
const APP_VERSION_CODE = 109;

type Config = ResultOf<typeof readConfig>;

function systemConfig({ brand, mode, prices, products, baseUrl }: Content, language: Language): Config {
  return {
    scroll_notice: translate(language, mode === 'demo' ? 'content.scroll_notice.demo' : 'content.scroll_notice.live', {
      brand: brand.title,
    }),
    service_url: `${baseUrl}/#/pages/service/index`,
    appurl_android: `${baseUrl}/?v=${APP_VERSION_CODE}`,
    brand: brand.id,
    mode,
    prices,
    products,
    currency: brand.currency,
    area_code: brand.areaCode,
    invite_required: brand.inviteRequired,
    help_line: brand.helpLine,
  };
}

/** A visitor's link has no code; neither has that of a customer who may not invite. */
async function shareConfig(content: Content, customer: bigint | null, language: Language): Promise<Config> {
  const code = customer === null ? null : await content.inviteCodeOf(customer);
  const page = `${content.baseUrl}/#/pages/login/regist`;
  return {
    text: translate(language, 'content.share', { brand: content.brand.title }),
    url: code === null ? page : `${page}?code=${encodeURIComponent(code)}`,
    code: code ?? '',
  };
}

export function readConfigHandler(content: Content): Handler {
  return handle(readConfig, async ({ request, customer, language }) => {
    if (request.act === 'system') return accept(systemConfig(content, language));
    if (request.act === 'share') return accept(await shareConfig(content, customer?.id ?? null, language));
    return accept({ about: translate(language, 'content.about', { brand: content.brand.title }) });
  });
}
