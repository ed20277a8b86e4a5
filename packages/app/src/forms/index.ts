export * from './faulty-fields.ts';
export * from './form.tsx';
export * from './form-page.tsx';
export * from './form-state.ts';
export * from './kept-values.ts';
export * from './use-call-form.ts';
