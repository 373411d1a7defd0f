/** Runs agentmd, away from the page: a long question doesn't stop the typing. */

import { ConsoleStdout, File, OpenFile, WASI } from '@bjorn3/browser_wasi_shim';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  answer(): void;
}

const encoder = new TextEncoder();
const question = new OpenFile(new File([]));
let output: string[] = [];
let complaints: string[] = [];

/** A stream that agentmd writes to. */
function stream(parts: () => string[]): ConsoleStdout {
  const decoder = new TextDecoder();
  return new ConsoleStdout((bytes) => parts().push(decoder.decode(bytes, { stream: true })));
}

let exports: Exports | undefined;

function start(module: WebAssembly.Module): void {
  const wasi = new WASI(['agentmd'], [], [question, stream(() => output), stream(() => complaints)]);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
  exports = instance.exports as unknown as Exports;
  wasi.initialize({ exports });
}

function ask(text: string): string {
  question.file = new File(encoder.encode(text));
  question.file_pos = 0n;
  output = [];
  complaints = [];
  exports?.answer();
  return output.join('');
}

self.onmessage = ({ data }: MessageEvent<{ module: WebAssembly.Module } | { id: number; question: string }>) => {
  if ('module' in data) {
    start(data.module);
    return;
  }
  try {
    self.postMessage({ id: data.id, answer: ask(data.question) });
  } catch (error) {
    // A panic: this instance can't go on.
    self.postMessage({ id: data.id, crash: complaints.join('').trim() || String(error) });
  }
};
