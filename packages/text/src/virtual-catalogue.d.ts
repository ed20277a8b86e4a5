declare module 'virtual:catalogue/*' {
  const catalogue: import('./texts.ts').CompiledCatalogue;
  export default catalogue;
}
