// Files that aren't as they are on disk.
import path from 'node:path';

const FILES = {
  'desk/answer.md': 'It was too quiet.\n\nsrc/greet.py\n<<<<<<< SEARCH\ngreet("world")\n=======\ngreet("Hei")\n>>>>>>> REPLACE\n\nsrc/greet.py\n<<<<<<< SEARCH\ngreet(nobody)\nat_all()\n=======\npass\n>>>>>>> REPLACE\n',
  'desk/src/greet.py': 'def greet(name):\n    print("Hello " + name)\n\n\ngreet("world")\n',
};

function folder(workbench) {
  return path.join(workbench.scratch, 'desk');
}

export const desk = {
  /** What is typed and not saved counts: edits apply to the buffer, and nothing typed is lost. */
  async unsaved(workbench) {
    workbench.write(FILES);
    await workbench.visit(folder(workbench));
    await workbench.hideSideBar();
    await workbench.open('src/greet.py');
    await workbench.press('Control+End');
    await workbench.page.keyboard.type('# typed');
    await workbench.open('answer.md');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Apply 1 change to src/greet.py' }).first().click();
    await workbench.page.waitForSelector('.bulk-edit-panel .monaco-list-row');
    await workbench.pause(500);
    await workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Apply' }).click();
    const said = await workbench.notification('Applied: changed src/greet.py');
    await workbench.open('src/greet.py');
    await workbench.shows('.view-lines', 'greet("Hei")');
    await workbench.shows('.view-lines', '# typed');
    return said;
  },
};
