/** The views of `pictures.svg`. */
export const PICTURE_NAMES = [
  'bell',
  'box',
  'calendar',
  'chart',
  'coin',
  'crown',
  'download',
  'drop',
  'flag',
  'gift',
  'headset',
  'ledger',
  'list',
  'lock',
  'mail',
  'option',
  'people',
  'phone',
  'search',
  'shield',
  'star',
  'upload',
  'wallet',
] as const;

export type PictureName = (typeof PICTURE_NAMES)[number];
