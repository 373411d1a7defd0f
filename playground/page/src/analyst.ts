/** agentmd, and the vocabularies that it counts tokens with. */

import type { Answers } from './answers';
import { Runner, load } from './runner';
import type { Workspace } from './workspace';

export class Analyst {
  readonly #runner: Runner;
  readonly #workspace: () => Workspace;

  constructor(module: WebAssembly.Module, workspace: () => Workspace) {
    this.#workspace = workspace;
    this.#runner = new Runner(module, () => void this.open().catch(() => undefined));
  }

  /** Hands over all files. */
  open(): Promise<Answers['open']> {
    const { files, clients } = this.#workspace();
    return this.ask('open', { files: [...files].map(([path, text]) => ({ path, text })), clients });
  }

  async ask<Name extends keyof Answers>(name: Name, question: object = {}): Promise<Answers[Name]> {
    const answer: unknown = JSON.parse(await this.#runner.ask(JSON.stringify({ ask: name, ...question })));
    if (answer && typeof answer === 'object' && 'error' in answer) {
      throw new Error(String(answer.error));
    }
    return answer as Answers[Name];
  }
}

let vocabularies: Promise<Runner> | undefined;

/** The tokens of a text. The vocabularies are as large as agentmd, so they are loaded when the first text is counted. */
export async function count(vocabulary: string, text: string): Promise<number> {
  vocabularies ??= load('tokenizers').then((module) => new Runner(module));
  try {
    const answer = await (await vocabularies).ask(`${vocabulary}\n${text}`);
    if (!/^\d+$/.test(answer)) {
      throw new Error(`the vocabulary ${vocabulary} is missing`);
    }
    return Number(answer);
  } catch (error) {
    vocabularies = undefined;
    throw error;
  }
}
