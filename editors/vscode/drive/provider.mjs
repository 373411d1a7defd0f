// A provider whose model always counts two words, for programs that the tests run. Also accepts the agreement of `run`.
import { spawn } from 'node:child_process';
import http from 'node:http';

const ANSWER = { id: 'drive', object: 'chat.completion', created: 1, model: 'gpt-4o', choices: [{ index: 0, message: { role: 'assistant', content: '{"n": 2}' }, finish_reason: 'stop' }], usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } };

/** Starts the provider; `requests` counts its requests. */
export function provide() {
  return new Promise((resolve) => {
    const provider = { requests: 0 };
    const server = http.createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        provider.requests += 1;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(ANSWER));
      });
    });
    server.listen(0, '127.0.0.1', () => {
      provider.environment = { OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`, OPENAI_API_KEY: 'none' };
      provider.stop = () => server.close();
      resolve(provider);
    });
  });
}

/** Runs the program and returns its output. `answer` computes its input from the output so far. */
export function run(program, given, options, answer) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, given, { ...options, stdio: 'pipe' });
    let printed = '';
    const take = (chunk) => {
      printed += chunk;
      const reply = answer?.(printed);
      if (reply !== undefined) {
        child.stdin.end(reply);
      }
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('exit', (code) => resolve({ code, printed }));
    if (!answer) {
      child.stdin.end();
    }
  });
}

/** Accepts the agreement by typing the phrase that is shown. */
export async function agree(program, environment) {
  const { code, printed } = await run(program, ['agree'], { env: environment }, (shown) => {
    const [above] = shown.split('Type the above');
    return above === shown ? undefined : `${above.trim().split('\n').at(-1).trim()}\n`;
  });
  if (code !== 0) {
    throw new Error(`the agreement was not accepted: ${printed}`);
  }
}
