import { type FullConfig, request } from '@playwright/test';
import { signInOperators, untilHouseHasCapital } from './staff.ts';

export default async function setUp({ projects: [project] }: FullConfig): Promise<void> {
  const context = await request.newContext({ baseURL: String(project?.use.baseURL) });
  await signInOperators(context);
  await untilHouseHasCapital(context);
  await context.dispose();
}
