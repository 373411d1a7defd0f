// Drives one edit engine that is an npm package; the counterpart of drive.py.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [name, folder] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(folder, "node_modules", path)).href);

/** The block as the lines of a patch; the lines that begin and end both sides alike are context. */
function changes(search, replace) {
  const [old, fresh] = [search, replace].map((text) => text.split("\n").slice(0, -1));
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  const shortest = Math.min(old.length, fresh.length) - start;
  while (end < shortest && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  return [
    ...old.slice(0, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end).map((line) => ` ${line}`),
  ].join("\n");
}

/** Both sides without the last line break, as models write them in tool calls. */
const withoutEnd = ({ search, replace }) => [search, replace].map((side) => side.replace(/\n$/, ""));

const ENGINES = {
  async "cline apply_patch"() {
    const { createApplyPatchExecutor } = await load("@cline/core/dist/index.js");
    const execute = createApplyPatchExecutor();
    return ({ search, replace }, root) =>
      execute({ input: `*** Begin Patch\n*** Update File: target.txt\n@@\n${changes(search, replace)}\n*** End Patch` }, root, {});
  },

  async "cline editor"() {
    const { createEditorExecutor } = await load("@cline/core/dist/index.js");
    const execute = createEditorExecutor();
    return (entry, root) => {
      const [old_text, new_text] = withoutEnd(entry);
      return execute({ path: "target.txt", old_text, new_text }, root, {});
    };
  },

  // Without the stage that asks a model to repair the call.
  async "gemini-cli"() {
    const edit = await load("@google/gemini-cli-core/dist/src/tools/edit.js");
    const { detectLineEnding } = await load("@google/gemini-cli-core/dist/src/utils/textUtils.js");
    const config = { getUsageStatisticsEnabled: () => false };
    return async (entry, root) => {
      const [old_string, new_string] = withoutEnd(entry);
      const params = { file_path: join(root, "target.txt"), old_string, new_string };
      const ending = detectLineEnding(entry.before);
      const currentContent = entry.before.replace(/\r\n/g, "\n");
      const made = await edit.calculateReplacement(config, { params, currentContent });
      const error = edit.getErrorReplaceResult(params, made.occurrences, made.finalOldString, made.finalNewString);
      if (error) throw new Error(error.type);
      return ending === "\r\n" ? made.newContent.replace(/\r?\n/g, "\r\n") : made.newContent;
    };
  },

  async pi() {
    const { createEditTool } = await load("@mariozechner/pi-coding-agent/dist/index.js");
    return async (entry, root) => {
      const [oldText, newText] = withoutEnd(entry);
      await createEditTool(root).execute("call", { path: "target.txt", edits: [{ oldText, newText }] });
    };
  },
};

const apply = await ENGINES[name]();
const root = await mkdtemp(join(tmpdir(), "edit-engines-"));
const path = join(root, "target.txt");
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const entry = JSON.parse(line);
  await writeFile(path, entry.before);
  let answer;
  try {
    const after = await apply(entry, root);
    answer = { after: name === "gemini-cli" ? after : await readFile(path, "utf8") };
  } catch (error) {
    answer = { after: null, error: `${error.name}: ${error.message}` };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await rm(root, { recursive: true });
process.exit(0);
