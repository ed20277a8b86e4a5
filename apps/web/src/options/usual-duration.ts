const STORED_AS = 'options';
const FIRST_S = 60;

/** The duration last chosen on this device, in seconds. The stake is not remembered. */
export function usualDuration(): number {
  try {
    const { seconds } = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') as { seconds?: unknown };
    return typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0 ? seconds : FIRST_S;
  } catch {
    return FIRST_S;
  }
}

export function keepDuration(seconds: number): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify({ seconds }));
  } catch {
    // Without storage the duration must be chosen again on the next visit.
  }
}
