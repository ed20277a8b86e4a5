import type { OperatorRole } from '@sathorn/api';
import { beginSession, endSession, useSession } from '@sathorn/app/session';

/** The signed-in operator as the session stores it. */
export interface Operator {
  readonly id: string;
  readonly work_name: string;
  readonly roles: readonly OperatorRole[];
}

let latest = useSession.getState().user as Operator | null;
useSession.subscribe(({ user }) => {
  latest = (user as Operator | null) ?? latest;
});

/** Returns the signed-in operator, and after the session's end the last one: the page stays open then. */
export const useOperator = (): Operator | null => useSession(({ user }) => user ?? latest) as Operator | null;
export const beginConsoleSession = (token: string, operator: Operator): void => beginSession(token, operator);
export const endConsoleSession = endSession;

export const hasAnyRole = (operator: Operator | null, roles: readonly OperatorRole[]): boolean =>
  operator?.roles.some((role) => roles.includes(role)) ?? false;
