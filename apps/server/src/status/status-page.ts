import type { PlatformStatus } from '@sathorn/api';
import { direction, formatCount, formatDate, LANGUAGES, type Language, localeTag } from '@sathorn/text';
import { serverTexts } from '@sathorn/text/server';
import { escapeHtml, type PlainPage } from '../edge/index.ts';
import { keepFor } from './keep-for.ts';
import { statusOf } from './read-status.ts';
import type { StatusRoom } from './room.ts';

const FRESH_MS = 5_000;

const item = (name: string, value: string): string => `<li>${escapeHtml(name)}: <b>${escapeHtml(value)}</b></li>`;

function renderStatus(status: PlatformStatus, language: Language, timeZone: string): string {
  const presentation = { language, timeZone };
  const texts = serverTexts(presentation);
  const time = (at: string): string => formatDate(at, 'dateTimeSeconds', presentation);
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
    `<!doctype html><html lang="${localeTag(language)}" dir="${direction(language)}"><head><meta charset="utf-8">` +
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
    `<h2>${escapeHtml(texts.text('status.sources'))}</h2>${
      status.origin === 'live'
        ? ''
        : `<p>${escapeHtml(texts.text(status.origin === 'sim' ? 'status.simulated' : 'status.replayed'))}</p>`
    }<ul>${coins.join('')}</ul></main></body></html>`
  );
}

/** `/status`: the public status without a script. */
export function statusPage(room: StatusRoom): PlainPage {
  const pages = new Map(
    LANGUAGES.map((language) => [
      language,
      keepFor(FRESH_MS, async (now) => renderStatus(await statusOf(room, language, now), language, room.timeZone)),
    ]),
  );
  return {
    path: '/status',
    render: async (language) => {
      const page = pages.get(language);
      if (!page) throw new Error(`no status page in ${language}`);
      return page(room.clock.now());
    },
  };
}
