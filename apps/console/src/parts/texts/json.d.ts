declare module '*.json?en' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}

declare module '*.json?th' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
