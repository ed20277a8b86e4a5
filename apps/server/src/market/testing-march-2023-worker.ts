/** Plays the 21 days in a thread of its own: another heap, beside the first time. */
import { parentPort } from 'node:worker_threads';
import { playDays } from './testing-march-2023.ts';

parentPort?.postMessage(await playDays());
