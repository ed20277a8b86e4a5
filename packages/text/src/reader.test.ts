import { expect, test } from 'vitest';
import { formatDate } from './dates.ts';
import { presentationText, readerOf } from './reader.ts';

test.each([
  [undefined, {}],
  ['', {}],
  ['digits=native', { digits: 'native' }],
  [' Digits = native ; ZONE = Asia/Tokyo', { digits: 'native', timeZone: 'Asia/Tokyo' }],
  ['calendar=gregorian;digits=latin', { calendar: 'gregorian', digits: 'latin' }],
  ['zone=asia/bangkok', { timeZone: 'Asia/Bangkok' }],
  ['zone=+07:00', { timeZone: '+07:00' }],
  ['zone=Asia/Atlantis;digits=native', { digits: 'native' }],
  ['mark=v', { assetMark: 'v' }],
  ['mark=USDT ', {}],
  ['__proto__=native;digits=__proto__', {}],
  [`digits=native;${' '.repeat(200)}`, {}],
])('%s is %j', (text, reader) => {
  expect(readerOf('th', text)).toEqual({ language: 'th', ...reader });
});

test('parses what the app writes', () => {
  const chosen = { digits: 'native', calendar: 'gregorian', timeZone: 'America/New_York' } as const;
  expect(readerOf('ar', presentationText(chosen))).toEqual({ language: 'ar', ...chosen });
  expect(presentationText({})).toBe('');
});

test('formats times in more zones than it caches', () => {
  const at = '2026-11-21T08:00:00Z';
  for (let hour = 0; hour < 24; hour += 1)
    for (let minute = 0; minute < 60; minute += 1) {
      const zone = `+${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
      const { timeZone } = readerOf('en', `zone=${zone}`);
      const [hours, minutes] = [(8 + hour + Math.floor(minute / 60)) % 24, minute];
      expect(formatDate(at, 'time', { language: 'en' }, timeZone)).toBe(
        `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`,
      );
    }
});
