/** A phone that is turned sideways: it shows the chart alone, because there is room for nothing else. */
export const SIDEWAYS = '(orientation: landscape) and (max-height: 31em) and (pointer: coarse)';
