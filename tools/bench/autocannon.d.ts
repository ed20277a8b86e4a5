/** The part of autocannon that the benches use; the package brings no types. */
declare module 'autocannon' {
  namespace autocannon {
    interface Request {
      method?: string;
      path?: string;
      headers?: Record<string, string>;
      body?: string;
      setupRequest?: (request: Request, context: object) => Request;
      onResponse?: (status: number, body: string, context: object) => void;
    }
    interface Options {
      url: string;
      connections: number;
      /** Seconds. */
      duration: number;
      requests: Request[];
      headers?: Record<string, string>;
      overallRate?: number;
    }
    interface Result {
      '2xx': number;
      non2xx: number;
      errors: number;
      /** Seconds. */
      duration: number;
      latency: { p50: number; p99: number };
    }
  }
  function autocannon(options: autocannon.Options): Promise<autocannon.Result>;
  export default autocannon;
}
