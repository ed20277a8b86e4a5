/** Plays the 21 days in a separate thread with its own heap, beside the first run. */
import { parentPort } from 'node:worker_threads';
import { playMarch2023 } from './testing-march-2023.ts';

parentPort?.postMessage(await playMarch2023());
