declare module 'virtual:catalogue/*' {
  const catalogue: import('./texts.ts').CompiledCatalogue;
  export default catalogue;
}

declare module 'virtual:texts/*' {
  const loaders: import('./texts.ts').CatalogueLoaders;
  export default loaders;
}
