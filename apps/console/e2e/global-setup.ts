import { type FullConfig, request } from '@playwright/test';
import { signInOperators } from './staff.ts';

export default async function setUp({ projects: [project] }: FullConfig): Promise<void> {
  const context = await request.newContext({ baseURL: String(project?.use.baseURL) });
  await signInOperators(context);
  await context.dispose();
}
