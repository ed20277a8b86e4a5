import type { ResultOf, readOutbox } from '@sathorn/api';
import { type Language, localeTagOf, textDirectionOf } from '@sathorn/text';
import { translate } from '@sathorn/text/server';
import { escapeHtml } from './escape-html.ts';

/** Formats a time as `2026-11-22 16:13:24 UTC`. */
const readableTime = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

/** The demo's SMS and emails as a page, newest first; it reloads every five seconds. */
export function outboxPage(lines: ResultOf<typeof readOutbox>, language: Language): string {
  const title = escapeHtml(translate(language, 'edge.outbox_title'));
  const hint = escapeHtml(translate(language, 'edge.outbox_hint'));
  const rows = lines
    .map(
      (line) =>
        `<li><p><strong><bdi>${escapeHtml(line.to)}</bdi></strong> · ${escapeHtml(line.kind)} · <time datetime="${escapeHtml(line.at)}">${escapeHtml(readableTime(line.at))}</time></p>` +
        `<p>${escapeHtml(line.text)}</p>${line.code === null ? '' : `<p><code>${escapeHtml(line.code)}</code></p>`}</li>`,
    )
    .join('');
  const list = rows === '' ? `<p>${escapeHtml(translate(language, 'edge.outbox_empty'))}</p>` : `<ol>${rows}</ol>`;
  return (
    `<!doctype html><html lang="${localeTagOf(language)}" dir="${textDirectionOf(language)}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5"><title>${title}</title>` +
    `<link rel="stylesheet" href="/pictures/plain-page.css"></head><body><main><h1>${title}</h1><p>${hint}</p>${list}</main></body></html>`
  );
}
