/** Loads what only a process with the role `edge` needs, such as the libraries of HTTP and of metrics. */
export async function loadEdge() {
  const [{ openEdge }, { openMetrics }] = await Promise.all([import('./open-edge.ts'), import('./metrics.ts')]);
  return { openEdge, openMetrics };
}
