import type { Module } from '../../platform/module.ts';
import { askPracticeHandler } from './ask-practice.ts';
import { enterPracticeHandler } from './enter-practice.ts';
import type { PracticeDependencies } from './practice.ts';

/** The way from a platform to its practice platform: one issues tickets, the other takes them (decision 0096). */
export function openPractice(dependencies: PracticeDependencies): Module<null> {
  return { api: null, handlers: [askPracticeHandler(dependencies), enterPracticeHandler(dependencies)] };
}
