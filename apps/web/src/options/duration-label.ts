import { formatCount, type MessageKey, type Presentation, type TextParams } from '@sathorn/text';

/** `30 s`, `2 min`: short, for buttons and lists. */
export function durationLabel(
  seconds: number,
  t: (key: MessageKey, params?: TextParams) => string,
  presentation: Presentation,
): string {
  return seconds >= 120 && seconds % 60 === 0
    ? t('option.minutes', { count: formatCount(seconds / 60, presentation) })
    : t('option.seconds', { count: formatCount(seconds, presentation) });
}
