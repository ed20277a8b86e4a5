import { formatCount, type MessageKey, type Presentation, type TextParams } from '@sathorn/text';

/** Short forms for buttons and lists, such as `30 s` and `2 min`. */
export function durationLabel(
  seconds: number,
  t: (key: MessageKey, params?: TextParams) => string,
  presentation: Presentation,
): string {
  return seconds >= 120 && seconds % 60 === 0
    ? t('option.minutes', { count: formatCount(seconds / 60, presentation) })
    : t('option.seconds', { count: formatCount(seconds, presentation) });
}
