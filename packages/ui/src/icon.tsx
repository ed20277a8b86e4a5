import './icon.css';

/** Outlines on a 24-unit square, drawn with one stroke. */
const OUTLINES = {
  home: 'M3 11l9-8 9 8v10h-6v-6H9v6H3z',
  option: 'M3 17l6-6 4 4 8-9M15 6h6v6',
  coin: 'M12 3v18M7 7h8a3 3 0 010 6H8a3 3 0 000 5h9',
  swap: 'M7 20V4M3 8l4-4 4 4M17 4v16M13 16l4 4 4-4',
  ledger: 'M5 3h14v18H5zM9 3v18M12 8h4M12 12h4',
  box: 'M3 8l9-5 9 5v9l-9 5-9-5zM3 8l9 5 9-5M12 13v9',
  person: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c1-5 15-5 16 0',
  share: 'M4 12v8h16v-8M12 3v13M7 8l5-5 5 5',
  gift: 'M4 11h16v10H4zM2 7h20v4H2zM12 7v14M12 7c-6 0-5-5-2-4 1 .5 2 4 2 4zM12 7c6 0 5-5 2-4-1 .5-2 4-2 4z',
  chart: 'M4 20V10M10 20V4M16 20v-8M22 20H2',
  calendar: 'M4 5h16v16H4zM4 10h16M8 2v5M16 2v5M9 15l2 2 4-4',
  drop: 'M12 3c4 5 6 8 6 11a6 6 0 01-12 0c0-3 2-6 6-11z',
  lock: 'M5 11h14v10H5zM8 11V8a4 4 0 018 0v3',
  company: 'M4 21V5l8-3v19M12 9h8v12M3 21h18M7 8h2M7 12h2M7 16h2',
  headset: 'M4 13a8 8 0 0116 0v5h-4v-6h4M4 18h4v-6H4z',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  down: 'M6 9l6 6 6-6',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 100-6 3 3 0 000 6z',
  'eye-off':
    'M4 4l16 16M9.9 5.3A10 10 0 0112 5c6 0 10 7 10 7a18 18 0 01-3 3.7M6.3 7.2A17 17 0 002 12s4 7 10 7a10 10 0 004.2-1M10 10a3 3 0 004 4',
  bell: 'M6 16V11a6 6 0 1112 0v5l2 2H4zM10 21h4',
  check: 'M5 12l5 5 9-11',
  cross: 'M6 6l12 12M18 6L6 18',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  star: 'M12 3l2.7 5.6 6.1.8-4.5 4.3 1.1 6.1L12 16.9l-5.4 2.9 1.1-6.1-4.5-4.3 6.1-.8z',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  'arrow-up': 'M12 20V4M5 11l7-7 7 7',
  'arrow-down': 'M12 4v16M5 13l7 7 7-7',
  equal: 'M5 9h14M5 15h14',
  minus: 'M5 12h14',
  ban: 'M12 3a9 9 0 100 18 9 9 0 000-18zM5.7 5.7l12.6 12.6',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM16 16l5 5',
  download: 'M12 3v13M7 11l5 5 5-5M4 20h16',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
  document: 'M6 2h8l5 5v15H6zM14 2v5h5M9 12h6M9 16h6',
  list: 'M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7v5l3 3',
  warning: 'M12 3l10 18H2zM12 10v5M12 18h.01',
  info: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v5M12 8h.01',
  offline:
    'M4 4l16 16M2 9a15 15 0 015-3M11 5a15 15 0 0111 4M6 13a9 9 0 014-2M15 11.5a9 9 0 013 1.5M9.5 17a4 4 0 015 0M12 20h.01',
  settings: 'M4 6h10M18 6h2M4 12h2M10 12h10M4 18h10M18 18h2M14 4v4M6 10v4M14 16v4',
  globe: 'M12 21a9 9 0 100-18 9 9 0 000 18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  moon: 'M20 14A8 8 0 0110 4a8 8 0 1010 10z',
  palette:
    'M12 3a9 9 0 100 18c2 0 2-1.5 1.5-2.5-.6-1.3 0-2.5 1.5-2.5h2c3 0 4-2 4-4 0-5-4-9-9-9zM7.5 12h.01M10 8h.01M14.5 8h.01',
  key: 'M8 18a4 4 0 100-8 4 4 0 000 8zM11 11l9-8M16 7l3 3',
  exit: 'M14 4h6v16h-6M10 8l-5 4 5 4M5 12h11',
  wallet: 'M3 7h18v13H3zM3 7l12-4v4M16 13h2',
  card: 'M3 5h18v14H3zM3 10h18M7 15h4',
  phone: 'M7 2h10v20H7zM11 18.5h2',
  mail: 'M3 5h18v14H3zM3 6l9 7 9-7',
  edit: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  camera: 'M3 7h4l2-3h6l2 3h4v13H3zM12 17a4 4 0 100-8 4 4 0 000 8z',
  backspace: 'M8 5h13v14H8l-6-7zM11.5 9.5l5 5M16.5 9.5l-5 5',
  refresh: 'M20 11A8 8 0 006 6L3 9M3 4v5h5M4 13a8 8 0 0014 5l3-3M21 20v-5h-5',
  flag: 'M5 22V3M5 4h13l-3 4.5 3 4.5H5',
  link: 'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1',
  bolt: 'M13 2L4 14h7l-1 8 9-12h-7z',
  crown: 'M3 8l4 4 5-8 5 8 4-4-2 11H5z',
  people: 'M9 12a4 4 0 100-8 4 4 0 000 8zM2 21c.5-5 13.5-5 14 0M16 4.5a4 4 0 010 7M18 16c2.5.6 3.8 2.5 4 5',
} as const;

export type IconName = keyof typeof OUTLINES;

/** Decoration only: the text beside it or the control's label gives the meaning. */
export function Icon({ name, size = 22, flip = false }: { name: IconName; size?: number; flip?: boolean }) {
  return (
    <svg
      className={flip ? 'ui-icon flip' : 'ui-icon'}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <path d={OUTLINES[name]} />
    </svg>
  );
}
