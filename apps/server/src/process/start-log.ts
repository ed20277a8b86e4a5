import { type LogInput, runLog } from '../service/log/run-log.ts';
import type { RolesDependencies, RunningRoles } from './start-roles.ts';

/** Keeps the public log in this process. */
export async function startLog(
  input: LogInput,
  { operatorLog: { print, report }, shutdown }: Pick<RolesDependencies, 'operatorLog' | 'shutdown'>,
): Promise<Pick<RunningRoles, 'url' | 'ready' | 'stopSelling'>> {
  const stop = await runLog(
    input,
    (what) => print(`alarm: ${what}`),
    (error) => report(error, 'background'),
  );
  shutdown.add('log', stop);
  return { url: '', ready: Promise.resolve(), stopSelling: () => undefined };
}
