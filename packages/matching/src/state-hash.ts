import type { RestingOrder } from './order.ts';

/**
 * Hashes a book's orders in order of arrival to 64 bits, as 16 hexadecimal digits. The hash detects faults, such as a
 * failed rebuild, but not deliberate collisions.
 */
export function hashOrders(orders: readonly RestingOrder[]): string {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  const mix = (value: number): void => {
    a = Math.imul(a ^ value, 0xcc9e2d51);
    a = (a << 15) | (a >>> 17);
    b = Math.imul(b ^ a ^ (value >>> 16), 0x1b873593);
    b = ((b << 13) | (b >>> 19)) + 0x52dce729;
  };
  const mixWhole = (value: number): void => {
    mix(value | 0);
    mix(Math.floor(value / 0x100000000) | 0);
  };
  mixWhole(orders.length);
  for (const { id, owner, side, price, quantity } of orders) {
    mixWhole(id);
    mixWhole(owner);
    mixWhole(side === 'buy' ? 0 : 1);
    mixWhole(price);
    mixWhole(quantity);
  }
  return digits(finish(a ^ b)) + digits(finish(b + a));
}

function finish(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function digits(value: number): string {
  return value.toString(16).padStart(8, '0');
}
