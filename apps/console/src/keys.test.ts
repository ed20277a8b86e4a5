import { describe, expect, it } from 'vitest';
import { latinKeyOf } from './keys.ts';

const pressed = (key: string, code: string, shiftKey = false) => latinKeyOf({ key, code, shiftKey });

describe('a key', () => {
  it('is the letter that the keyboard types, in a Latin layout', () => {
    expect(pressed('z', 'KeyW')).toBe('z');
    expect(pressed('T', 'KeyT', true)).toBe('T');
    expect(pressed('Escape', 'Escape')).toBe('Escape');
    expect(pressed('?', 'Slash', true)).toBe('?');
  });

  it('is the Latin letter at its position, in any other layout', () => {
    expect(pressed('่', 'KeyJ')).toBe('j');
    expect(pressed('า', 'KeyK')).toBe('k');
    expect(pressed('ฟ', 'KeyA')).toBe('a');
    expect(pressed('ฤ', 'KeyA', true)).toBe('A');
    expect(pressed('ฝ', 'Slash')).toBe('/');
    expect(pressed('๑', 'Digit1')).toBe('1');
  });
});
