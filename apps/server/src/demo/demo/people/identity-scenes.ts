import {
  approveCertification,
  certifyCustomer,
  excludeMyself,
  freezeCustomer,
  listCertifications,
  readCertification,
  readProfile,
  refuseCertification,
  sendBackCertification,
  setOwnLimit,
  setRealityCheck,
  uploadPicture,
} from '@sathorn/api';
import sharp from 'sharp';
import type { DemoScene } from './scene.ts';
import { type DemoPlayer, nullIfRefused, type Stage } from './stage.ts';

const FREEZE_DAYS = 7;

/** Draws a picture that nobody can mistake for a document. */
function drawSpecimen(what: string): Promise<Buffer> {
  const text = (y: number, size: number, words: string) =>
    `<text x="480" y="${y}" font-family="sans-serif" font-size="${size}" text-anchor="middle" fill="#5b4636">${words}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="600"><rect width="960" height="600" fill="#efe6d8"/>
    <rect x="30" y="30" width="900" height="540" rx="28" fill="none" stroke="#b9a48a" stroke-width="8"/>
    ${text(270, 96, 'DEMO')}${text(350, 42, what)}${text(420, 30, 'not a document')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** A Thai identity number that consists mostly of zeros, with the right check digit. */
function specimenNumber(index: number): string {
  const twelve = `8${String(index).padStart(11, '0')}`;
  const sum = [...twelve].reduce((total, digit, at) => total + Number(digit) * (13 - at), 0);
  return `${twelve}${(11 - (sum % 11)) % 10}`;
}

const PERSONS = {
  nicha: ['Nicha Phromsiri', 1, '1994-04-12'],
  demo_krit: ['Krit Wongsakul', 2, '1986-09-30'],
  demo_malee: ['Malee Srisuk', 3, '1999-01-05'],
  demo_somchai: ['Somchai Jaidee', 4, '1978-12-24'],
  demo_pim: ['Pim Rattana', 5, '1991-07-17'],
  demo_wanida: ['Wanida Thongchai', 6, '1989-03-08'],
} as const;

async function applyFor(stage: Stage, who: DemoPlayer, level: 'primary' | 'advanced'): Promise<void> {
  const known = await stage.call(who, readCertification, {});
  if (known[level].state !== 'none') return;
  const [name, index, birthDate] = PERSONS[who.username as keyof typeof PERSONS];
  const person = { type: 'id_card', name, number: specimenNumber(index), birth_date: birthDate } as const;
  if (level === 'primary') {
    await stage.call(who, certifyCustomer, { level, ...person });
    return;
  }
  const pictures: Record<string, string> = {};
  for (const side of ['front', 'back', 'selfie'])
    pictures[side] = (await stage.call(who, uploadPicture, {}, await drawSpecimen(side))).id;
  await stage.call(who, certifyCustomer, { level, ...person, expires: '2035-01-01', ...pictures });
}

/** The customer's case that waits for a decision, or null. */
async function waitingCase(stage: Stage, who: DemoPlayer) {
  const { items } = await stage.operate('ploy', listCertifications, { status: 'review' });
  return items.find(({ customer }) => customer.id === String(who.id)) ?? null;
}

async function certify(stage: Stage, who: DemoPlayer, level: 'primary' | 'advanced'): Promise<void> {
  await applyFor(stage, who, level);
  const waiting = await waitingCase(stage, who);
  if (waiting?.level !== level) return;
  const { id, version } = waiting;
  await stage.propose('ploy', approveCertification, { id, version: String(version), masked: 'true' });
}

export const IDENTITY_SCENES: readonly DemoScene[] = [
  {
    name: 'certified',
    async play(stage, { nicha, krit }) {
      for (const who of [nicha, krit])
        for (const level of ['primary', 'advanced'] as const) await certify(stage, who, level);
    },
  },
  {
    name: 'in_certification',
    async play(stage, { malee, somchai, pim, wanida }) {
      for (const who of [somchai, pim]) await certify(stage, who, 'primary');
      await applyFor(stage, malee, 'primary');
      await applyFor(stage, somchai, 'advanced');
      await applyFor(stage, pim, 'advanced');
      const blurry = await waitingCase(stage, pim);
      if (blurry)
        await stage.operate('ploy', sendBackCertification, {
          id: blurry.id,
          version: String(blurry.version),
          reasons: 'picture_blurry',
          sides: 'front',
        });
      await applyFor(stage, wanida, 'primary');
      const doubtful = await waitingCase(stage, wanida);
      if (doubtful)
        await nullIfRefused(
          stage.propose('ploy', refuseCertification, {
            id: doubtful.id,
            version: String(doubtful.version),
            reason: 'country_not_served',
          }),
          'refusal_waits',
        );
    },
  },
  {
    name: 'safeguards',
    async play(stage, { lek, prasit }) {
      await nullIfRefused(stage.call(lek, setOwnLimit, { kind: 'loss_day', value: '100' }), 'limit_unchanged');
      await nullIfRefused(stage.call(lek, setOwnLimit, { kind: 'stake_option', value: '20' }), 'limit_unchanged');
      // Raises the limit, which takes effect a day later.
      await nullIfRefused(stage.call(lek, setOwnLimit, { kind: 'loss_day', value: '150' }), 'limit_unchanged');
      await stage.call(lek, setRealityCheck, { minutes: '30' });
      await nullIfRefused(stage.call(prasit, excludeMyself, { length: '6_months' }), 'self_excluded');
    },
  },
  {
    name: 'frozen',
    async play(stage, { wanida }) {
      const profile = await stage.operate('ploy', readProfile, { id: String(wanida.id) });
      if (profile.is_frozen) return;
      const { fingerprint } = profile;
      const id = String(wanida.id);
      const stepUp = await stage.confirm('ploy', { op: 'customer.freeze', id, fingerprint });
      await stage.operate('ploy', freezeCustomer, {
        id,
        scopes: 'trading,withdrawals',
        reason: 'takeover_suspected',
        until: new Date(Date.now() + FREEZE_DAYS * 86_400_000).toISOString(),
        fingerprint,
        step_up: stepUp,
      });
    },
  },
];
