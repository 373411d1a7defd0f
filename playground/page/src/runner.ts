/** A WebAssembly module in a worker. After a crash, or when an answer takes too long, a new worker starts. */

declare const WORKER: string;

/** The modules, each from the script that contains it. */
declare global {
  var AGENTMD: Record<string, string> | undefined;
}

/** How long a question may take, in milliseconds. */
const PATIENCE = 15_000;

interface Waiting {
  resolve(answer: string): void;
  reject(error: Error): void;
}

/** Loads a module. It comes in a script, because a page in a local folder can load scripts but no other files. */
export async function load(name: string): Promise<WebAssembly.Module> {
  if (globalThis.AGENTMD?.[name] === undefined) {
    await new Promise<void>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${name}.js`;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`${name}.js is missing; copy the whole folder of the playground`));
      document.head.append(script);
    });
  }
  const packed = globalThis.AGENTMD?.[name] ?? '';
  delete globalThis.AGENTMD?.[name];
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

export class Runner {
  readonly #module: WebAssembly.Module;
  readonly #restarted: () => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;
  #watch: ReturnType<typeof setTimeout> | undefined;

  /** `restarted` is called after each new start: what was known is lost. */
  constructor(module: WebAssembly.Module, restarted: () => void = () => undefined) {
    this.#module = module;
    this.#restarted = restarted;
    this.#start();
  }

  #start(): void {
    const url = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onmessage = ({ data }: MessageEvent<{ id: number; answer?: string; crash?: string }>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.crash !== undefined) {
        waiting?.reject(new Error(`agentmd stopped: ${data.crash}`));
        this.#restart('agentmd stopped');
      } else {
        waiting?.resolve(data.answer ?? '');
      }
      this.#guard();
    };
    worker.onerror = (event) => this.#restart(event.message || 'agentmd can’t start');
    worker.postMessage({ module: this.#module });
    this.#worker = worker;
  }

  #restart(reason: string): void {
    this.#worker?.terminate();
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#start();
    this.#restarted();
    for (const waiting of lost) {
      waiting.reject(new Error(reason));
    }
  }

  /** Watches the question that is being answered. */
  #guard(): void {
    clearTimeout(this.#watch);
    if (this.#waiting.size > 0) {
      this.#watch = setTimeout(() => this.#restart(`no answer after ${PATIENCE / 1000} seconds`), PATIENCE);
    }
  }

  ask(question: string): Promise<string> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker?.postMessage({ id, question });
      if (this.#waiting.size === 1) {
        this.#guard();
      }
    });
  }
}
