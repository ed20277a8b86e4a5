import type { ListedOperator } from '@sathorn/api';

const LOOKS = { active: 'ok', invited: 'brand', frozen: 'warn', removed: undefined } as const;
export const operatorStateLook = (state: ListedOperator['state']) => LOOKS[state];
