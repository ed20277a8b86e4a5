import { runBrands } from '../demo/brands/index.ts';

/** Starts the servers of several brands: `BRANDS=sathorn=app.sathorn.example,meridian=app.meridian.example`. */
export async function startBrands(): Promise<void> {
  const print = (line: string): void => console.log(line);
  const running = await runBrands(process.env, print);
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      running.stop(signal).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  print(`Brands by host name at ${running.url}`);
}
