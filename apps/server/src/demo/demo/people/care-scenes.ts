import {
  answerSupport,
  approveApproval,
  closeSupport,
  disputeOption,
  listApprovals,
  listContents,
  listCorrections,
  listDisputes,
  listMessages,
  listOptions,
  listOwnDisputes,
  listProducts,
  listSupportThreads,
  makeCorrection,
  markMessagesRead,
  noteSupport,
  proposeAnswer,
  proposeProduct,
  publishContent,
  readDispute,
  saveContent,
  sendSupport,
} from '@sathorn/api';
import { uuidOfName } from '../../../platform/intent.ts';
import type { DemoScene } from './scene.ts';
import { type DemoPlayer, nullIfRefused, type Stage } from './stage.ts';

const SETTLED_MAX_MS = 120_000;
const PROPOSAL_DAYS = 20;

const write = (stage: Stage, who: DemoPlayer, text: string) =>
  stage.call(who, sendSupport, { id: uuidOfName(`demo ${who.username} ${text}`), text });

async function threadOf(stage: Stage, who: DemoPlayer): Promise<string | null> {
  const { items } = await stage.operate('mai', listSupportThreads, { status: 'open' });
  return items.find(({ customer }) => customer?.id === String(who.id))?.id ?? null;
}

/** Proposes the answer that the replay gives; returns the approval that waits for a second person. */
async function answerDispute(stage: Stage, id: string): Promise<{ id: string; fingerprint: string } | null> {
  const { version, replay, status } = await stage.operate('mai', readDispute, { id });
  if (status !== 'open') return null;
  const text = 'ระบบคำนวณผลซ้ำจากราคาที่บันทึกไว้และเงื่อนไขที่ลงนามแล้ว ได้ผลเดียวกับที่ชำระ';
  const fields = { id, version: String(version), finding: replay.finding, text };
  return (await stage.propose('mai', proposeAnswer, fields)).approval;
}

export const CARE_SCENES: readonly DemoScene[] = [
  {
    name: 'support',
    async play(stage, { nicha, malee, lek }) {
      await write(stage, nicha, 'สวัสดีค่ะ ฝาก USDT แล้วต้องรอกี่บล็อกคะ');
      const answered = await threadOf(stage, nicha);
      if (answered)
        await stage.operate('mai', answerSupport, {
          id: answered,
          text: 'สวัสดีค่ะ เครดิตเข้าหลังยืนยันครบ 12 บล็อก ดูความคืบหน้าได้ที่หน้าฝากเงินค่ะ',
        });
      await write(stage, lek, 'ตั้งวงเงินขาดทุนรายวันได้ที่ไหนคะ');
      const closed = await threadOf(stage, lek);
      if (closed) {
        await stage.operate('mai', answerSupport, { id: closed, text: 'ที่หน้า บัญชี แล้วเลือก การเทรดอย่างรับผิดชอบ ค่ะ' });
        await stage.operate('mai', closeSupport, { id: closed });
      }
      await write(stage, malee, 'ส่งเอกสารยืนยันตัวตนแล้ว ใช้เวลาตรวจนานไหมคะ');
      const waiting = await threadOf(stage, malee);
      if (waiting) await stage.operate('mai', noteSupport, { id: waiting, note: 'Waits for compliance.' });
    },
  },
  {
    name: 'disputes',
    async play(stage, { wanida }) {
      const settled = await stage.until(
        async () => (await stage.call(wanida, listOptions, { status: 'history' })).items,
        (items) => items.length >= 3,
        SETTLED_MAX_MS,
      );
      const reasons = ['ราคาปิดไม่ตรงกับที่เห็นบนจอ', 'ผลควรเป็นชนะ ขอให้ตรวจสอบ', 'ขอดูราคาที่ใช้ตัดสิน'];
      for (const [at, { id }] of settled.slice(0, 3).entries())
        await nullIfRefused(stage.call(wanida, disputeOption, { id, reason: reasons[at] ?? '' }), 'dispute_open');
      const own = (await stage.call(wanida, listOwnDisputes, {})).items;
      const { items } = await stage.operate('mai', listDisputes, { status: 'open' });
      const [closing, proposed] = items.filter(({ id }) => own.some((dispute) => dispute.id === id));
      // One dispute stays open, one waits for the second person, and one is answered.
      if (proposed && own.every(({ status }) => status === 'open')) await answerDispute(stage, proposed.id);
      const approval = closing && (await answerDispute(stage, closing.id));
      if (!approval) return;
      const { id, fingerprint } = approval;
      const stepUp = await stage.confirm('tan', { op: 'approval.approve', id, fingerprint });
      await stage.operate('tan', approveApproval, { id, fingerprint, step_up: stepUp });
    },
  },
  {
    name: 'proposed_terms',
    async play(stage) {
      const { items } = await stage.operate('korn', listApprovals, { status: 'made' });
      if (items.some(({ kind }) => kind === 'offer')) return;
      const { items: products } = await stage.operate('korn', listProducts, { kind: 'lockup' });
      const { in_force: inForce } = products.find(({ subject }) => subject === '30') ?? {};
      if (!inForce) return;
      await nullIfRefused(
        stage.propose('korn', proposeProduct, {
          kind: 'lockup',
          subject: '30',
          fields: JSON.stringify({ ...inForce.fields, daily_rate: '0.00014' }),
          effective_from: stage.midnightIn(PROPOSAL_DAYS).toISOString(),
          reason: 'Lower income of the reserve (demo).',
        }),
        'change_pending',
        'approval_open',
      );
    },
  },
  {
    name: 'proposed_notice',
    async play(stage) {
      const title = 'ซ้อมปิดปรับปรุงระบบ (สาธิต)';
      const { items } = await stage.operate('bua', listContents, { kinds: 'notice' });
      if (items.some((item) => item.title === title)) return;
      const text = (words: string) => JSON.stringify([{ kind: 'paragraph', inlines: [{ text: words }] }]);
      const fields = { kind: 'notice', version: '0' } as const;
      const body = text('ประกาศนี้เป็นตัวอย่าง รอเจ้าหน้าที่คนที่สองอนุมัติก่อนส่งถึงลูกค้าทุกคน');
      const thai = await stage.operate('bua', saveContent, { ...fields, lang: 'th', title, body });
      const { id, version, fingerprint } = await stage.operate('bua', saveContent, {
        ...fields,
        id: thai.id,
        version: String(thai.version),
        lang: 'en',
        title: 'Maintenance drill (demo)',
        body: text('This notice is an example. It waits for a second person before it goes out to every customer.'),
      });
      await stage.propose('bua', publishContent, {
        id,
        from: stage.now().toISOString(),
        version: String(version),
        fingerprint,
        to: stage.midnightIn(PROPOSAL_DAYS).toISOString(),
        audience: 'all',
        missing: 'accepted',
      });
    },
  },
  {
    name: 'proposed_correction',
    async play(stage, { wanida }) {
      const [dispute] = (await stage.call(wanida, listOwnDisputes, {})).items;
      const { items } = await stage.operate('korn', listCorrections, { tab: 'waiting' });
      if (!dispute || items.some(({ customer }) => customer.id === String(wanida.id))) return;
      await stage.propose('korn', makeCorrection, {
        kind: 'goodwill',
        customer: String(wanida.id),
        amount: '5',
        reason: 'goodwill',
        words: 'Her dispute was answered late (demo).',
        case_kind: 'dispute',
        case_id: dispute.id,
      });
    },
  },
  {
    name: 'read_notices',
    async play(stage, { nicha }) {
      const { items } = await stage.call(nicha, listMessages, { status: 'unread' });
      // Marks all but the newest two as read.
      const ids = items.slice(2).map(({ id }) => id);
      if (ids.length > 0) await stage.call(nicha, markMessagesRead, { ids: ids.join(',') });
    },
  },
];
