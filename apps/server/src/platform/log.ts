import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * PostgreSQL's details of a refused row contain its values: phone numbers, emails, hashes. The message and the
 * constraint are enough to find the fault.
 */
const VALUES = ['detail', 'parameters', 'internalQuery'].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

export function openLog(name: string, level: string, destination: DestinationStream): Logger {
  return pino({ name, level, redact: { paths: VALUES, remove: true } }, destination);
}
