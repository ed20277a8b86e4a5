import type { MarketAlarm } from './index-publisher.ts';

/** Words an alarm of the index for operators. */
export function alarmSentence(alarm: MarketAlarm): string {
  switch (alarm.kind) {
    case 'late':
      return `the index published ${alarm.seconds} s late`;
    case 'lost':
      return `the index could not publish ${alarm.seconds} s in time: options that begin or end in them are void`;
    case 'source_far':
      return `the index of ${alarm.coin} leaves out ${alarm.source}: its price is too far from the others`;
    case 'stale':
      return `the index of ${alarm.coin} is stale: too few sources agree, purchases are refused`;
    case 'back':
      return `the index of ${alarm.coin} has a price again`;
    case 'jump':
      return `the index of ${alarm.coin} jumped by more than a fifth: purchases pause for a minute`;
  }
}
