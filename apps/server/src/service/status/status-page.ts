import { type Custody, PAUSABLE_PRODUCTS, type PlatformFigures, type PlatformStatus } from '@sathorn/api';
import {
  durationText,
  formatCount,
  formatDate,
  LANGUAGES,
  type Language,
  localeTagOf,
  textDirectionOf,
} from '@sathorn/text';
import { serverTexts } from '@sathorn/text/server';
import { escapeHtml, type PlainPage } from '../../platform/edge/index.ts';
import { cacheFor } from './cache-for.ts';
import { FIGURES_FRESH_MS, readCoinSums, readPauseAndDisputeSums } from './read-figures.ts';
import { readPlatformStatus } from './read-status.ts';
import type { StatusDependencies } from './status.ts';

const FRESH_MS = 5_000;

const item = (name: string, value: string): string => `<li>${escapeHtml(name)}: <b>${escapeHtml(value)}</b></li>`;

type Troubles = Pick<PlatformFigures, 'days' | 'pauses' | 'disputes'>;

function renderTroubles({ days, pauses, disputes }: Troubles, language: Language, timeZone: string): string {
  const presentation = { language, timeZone };
  const texts = serverTexts(presentation);
  const count = (n: number): string => formatCount(n, presentation);
  const nameOf = ({ kind, subject }: Troubles['pauses'][number]): string => {
    if (kind !== 'product') return texts.text(`figures.${kind}`, { code: subject });
    const product = PAUSABLE_PRODUCTS.find((known) => known === subject);
    return product ? texts.text(`figures.product.${product}`) : subject;
  };
  const paused = pauses.map((pause) => {
    const long = texts.text('figures.paused_for', { n: count(pause.times), wait: pause.seconds });
    return item(nameOf(pause), pause.since ? `${long} · ${texts.text('figures.paused_now')}` : long);
  });
  const median = disputes.median_seconds;
  return (
    `<h2>${escapeHtml(texts.text('figures.pauses', { n: count(days) }))}</h2>` +
    (paused.length > 0 ? `<ul>${paused.join('')}</ul>` : `<p>${escapeHtml(texts.text('figures.never_paused'))}</p>`) +
    `<h2>${escapeHtml(texts.text('figures.disputes', { n: count(days) }))}</h2><ul>` +
    item(texts.text('figures.opened'), count(disputes.opened)) +
    disputes.answered.map((each) => item(texts.text(`figures.${each.finding}`), count(each.count))).join('') +
    item(texts.text('figures.median'), median === null ? '–' : durationText(median, presentation)) +
    item(texts.text('figures.waiting'), count(disputes.waiting)) +
    item(texts.text('figures.late'), count(disputes.late)) +
    '</ul>'
  );
}

/** Options that late prices settled, by coin, and for whom. */
function renderLatePrices(coins: PlatformFigures['coins'], language: Language, timeZone: string): string {
  const presentation = { language, timeZone };
  const texts = serverTexts(presentation);
  const count = (n: number): string => formatCount(n, presentation);
  const said = (label: 'late_any' | 'late_over', { orders, won, lost }: PlatformFigures['coins'][number]['late']) =>
    `${texts.text(`figures.${label}`)} ${count(orders)} (${texts.text('figures.won_and_lost', { won: count(won), lost: count(lost) })})`;
  const items = coins
    .filter(({ late }) => late.orders > 0)
    .map(({ code, late, late_over_5s }) => item(code, `${said('late_any', late)}; ${said('late_over', late_over_5s)}`));
  return (
    `<h2>${escapeHtml(texts.text('figures.late_prices'))}</h2>` +
    (items.length > 0
      ? `<ul>${items.join('')}${item(texts.text('figures.had_void'), count(coins.reduce((sum, { had_void }) => sum + had_void, 0)))}</ul>`
      : `<p>${escapeHtml(texts.text('figures.never_late'))}</p>`)
  );
}

function renderCustody(
  custody: Custody | null,
  texts: ReturnType<typeof serverTexts>,
  time: (at: string) => string,
): string {
  if (custody === null) return '';
  const head = `<h2>${escapeHtml(texts.text('status.custody'))}</h2>`;
  const say = (text: string): string => `<p>${escapeHtml(text)}</p>`;
  const { chain, treasury } = custody;
  if (treasury === null) return head + say(texts.text('status.custody_none'));
  const { threshold, owners, held, hot_max: max, height, at, command } = treasury;
  const keys = { threshold: String(threshold), count: String(owners.length) };
  return (
    `${head}<ul>${item(texts.text('status.custody_treasury'), `${held.treasury} USDT`)}` +
    item(texts.text('status.custody_hot', { max }), `${held.hot} USDT`) +
    `${item(texts.text('status.custody_addresses'), `${held.addresses} USDT`)}</ul>` +
    say(texts.text('status.custody_keys', keys)) +
    (treasury.is_odd ? say(texts.text('status.custody_odd')) : '') +
    (treasury.is_demo ? say(texts.text('status.custody_demo')) : '') +
    say(texts.text('status.custody_command', { chain })) +
    `<pre dir="ltr"><code>${escapeHtml(command)}</code></pre>` +
    say(texts.text('status.custody_block', { height, time: time(at) }))
  );
}

function renderStatus(
  status: PlatformStatus,
  custody: Custody | null,
  troubles: Troubles,
  figuresOfCoins: PlatformFigures['coins'],
  language: Language,
  timeZone: string,
): string {
  const presentation = { language, timeZone };
  const texts = serverTexts(presentation);
  const time = (at: string): string => formatDate(at, 'dateTimeSeconds', presentation, timeZone);
  const count = (n: number): string => formatCount(n, presentation);
  const minutes = (n: number | null): string =>
    n === null ? '–' : texts.text('status.minutes', { n: count(Math.round(n)) });
  const { withdrawals } = status;
  const title = escapeHtml(texts.text('status.title'));
  const incidents = status.incidents.map((incident) => {
    const parts = incident.parts.map((part) => texts.text(`status.part.${part}`)).join(' · ');
    const state = incident.closed_at
      ? texts.text('status.ended', { time: time(incident.closed_at) })
      : texts.text('status.ongoing');
    const updates = incident.updates
      .map(({ at, text }) => `<p dir="auto">${escapeHtml(time(at))}: ${escapeHtml(text)}</p>`)
      .join('');
    const severity = texts.text(`status.severity.${incident.severity}`);
    return `<li><p><b>${escapeHtml(parts)}</b> · ${escapeHtml(severity)} · ${escapeHtml(state)}</p>${updates}</li>`;
  });
  const coins = status.coins.map(({ code, price, sources, stale }) =>
    item(
      code,
      `${price ?? '–'} (${count(sources.filter(({ used }) => used).length)}/${count(sources.length)})${stale ? ` · ${texts.text('status.stale')}` : ''}`,
    ),
  );
  return (
    `<!doctype html><html lang="${localeTagOf(language)}" dir="${textDirectionOf(language)}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="30"><title>${title}</title>` +
    `<link rel="stylesheet" href="/pictures/plain-page.css"></head><body><main><h1>${title}</h1>` +
    `<p><b>${escapeHtml(texts.text(`status.state.${status.state}`))}</b></p>` +
    `<p>${escapeHtml(texts.text('status.as_of', { time: time(status.at) }))}</p>` +
    (incidents.length === 0
      ? `<p>${escapeHtml(
          status.last_incident_at
            ? texts.text('status.last_incident', { time: time(status.last_incident_at) })
            : texts.text('status.no_incident'),
        )}</p>`
      : `<h2>${escapeHtml(texts.text('status.incidents'))}</h2><ol>${incidents.join('')}</ol>`) +
    `<h2>${escapeHtml(texts.text('status.withdrawals'))}</h2><p>${escapeHtml(texts.text('status.medians'))}</p><ul>` +
    item(texts.text('status.automatic'), minutes(withdrawals.automatic.median_minutes)) +
    item(texts.text('status.checked'), minutes(withdrawals.checked.median_minutes)) +
    item(texts.text('status.longest'), minutes(withdrawals.longest_waiting_minutes)) +
    `</ul><p>${escapeHtml(withdrawals.late > 0 ? texts.text('status.late', { n: count(withdrawals.late) }) : texts.text('status.none_late'))}</p>` +
    (withdrawals.stopped === null
      ? ''
      : `<p><b>${escapeHtml(texts.text(`status.stopped.${withdrawals.stopped}`))}</b></p>`) +
    renderCustody(custody, texts, time) +
    renderLatePrices(figuresOfCoins, language, timeZone) +
    renderTroubles(troubles, language, timeZone) +
    `<h2>${escapeHtml(texts.text('status.sources'))}</h2>${
      status.origin === 'live'
        ? ''
        : `<p>${escapeHtml(texts.text(status.origin === 'sim' ? 'status.simulated' : 'status.replayed'))}</p>`
    }<ul>${coins.join('')}</ul></main></body></html>`
  );
}

/** `/status`: the public status without a script. */
export function statusPage(module: StatusDependencies): PlainPage {
  const readNow = cacheFor(FRESH_MS, (now) => readPauseAndDisputeSums(module, now));
  const readCoins = cacheFor(FIGURES_FRESH_MS, (now) => readCoinSums(module, now));
  const pages = new Map(
    LANGUAGES.map((language) => [
      language,
      cacheFor(FRESH_MS, async (now) => {
        const [status, custody, troubles, coins] = await Promise.all([
          readPlatformStatus(module, language, now),
          module.custody(),
          readNow(now),
          readCoins(now),
        ]);
        return renderStatus(status, custody, troubles, coins, language, module.timeZone);
      }),
    ]),
  );
  return {
    path: '/status',
    render: async (language) => {
      const page = pages.get(language);
      if (!page) throw new Error(`no status page in ${language}`);
      return page(module.clock.now());
    },
  };
}
