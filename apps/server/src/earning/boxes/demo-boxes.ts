import { money, parseMoney } from '@sathorn/money';
import type { BoxPrize } from '@sathorn/proof';
import type { ProposedBox } from './publish-box.ts';

const usdt = (text: string): bigint => (parseMoney('USDT', text) ?? money('USDT', 0n)).units;
const row = (prize: BoxPrize['prize'], amount: bigint, weight: number): BoxPrize => ({ prize, amount, weight });

const DAY_MS = 86_400_000;

/** Two boxes of a demo, named as such. They open one second after they are published. */
export const demoBoxes = (now: Date): readonly ProposedBox[] => {
  const times = { opens: new Date(now.getTime() + 1_000), closes: new Date(now.getTime() + 90 * DAY_MS) };
  return [
    {
      names: {
        en: 'Small test box',
        th: 'กล่องทดสอบใบเล็ก',
        zh: '小测试盲盒',
        jp: 'テスト用ボックス（小）',
        ar: 'صندوق تجريبي صغير',
        hi: 'छोटा टेस्ट बॉक्स',
      },
      price: 5n,
      table: [
        row('usdt', usdt('1'), 100),
        row('usdt', usdt('0.1'), 900),
        row('points', 10n, 2_500),
        row('points', 1n, 6_500),
      ],
      budget: { USDT: usdt('100'), POINTS: 20_000n },
      drawsMax: 5_000,
      beacon: 'none',
      ...times,
    },
    {
      names: {
        en: 'Large test box',
        th: 'กล่องทดสอบใบใหญ่',
        zh: '大测试盲盒',
        jp: 'テスト用ボックス（大）',
        ar: 'صندوق تجريبي كبير',
        hi: 'बड़ा टेस्ट बॉक्स',
      },
      price: 100n,
      table: [
        row('usdt', usdt('100'), 2),
        row('usdt', usdt('10'), 50),
        row('usdt', usdt('1'), 600),
        row('points', 100n, 3_848),
        row('points', 20n, 5_500),
      ],
      budget: { USDT: usdt('1600'), POINTS: 500_000n },
      drawsMax: 10_000,
      beacon: 'none',
      ...times,
    },
  ];
};
