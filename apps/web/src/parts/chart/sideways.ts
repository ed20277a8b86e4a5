/** A phone in landscape format shows only the chart, because nothing else fits. */
export const SIDEWAYS_MEDIA_QUERY = '(orientation: landscape) and (max-height: 31em) and (pointer: coarse)';
