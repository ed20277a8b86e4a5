import { afterEach, expect, test, vi } from 'vitest';
import { vibrateDevice } from './vibrate-device.ts';

const asked: number[] = [];
function device({ tapped, calm, able = true }: { tapped: boolean; calm: boolean; able?: boolean }): void {
  const vibrate = (milliseconds: number) => asked.push(milliseconds) > 0;
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: tapped }, ...(able && { vibrate }) });
  vi.stubGlobal('matchMedia', () => ({ matches: calm }));
}
afterEach(() => {
  vi.unstubAllGlobals();
  asked.length = 0;
});

test.each([
  [{ tapped: true, calm: false }, [10]],
  [{ tapped: false, calm: false }, []],
  [{ tapped: true, calm: true }, []],
  [{ tapped: true, calm: false, able: false }, []],
])('%o vibrates for %j', (state, expected) => {
  device(state);
  vibrateDevice(10);
  expect(asked).toEqual(expected);
});
