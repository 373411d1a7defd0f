//! The ways to name the file of a second block whose SEARCH text is also in the first file.

use serde_json::json;

use crate::tally::Tally;
use crate::workspace::{Outcome, Workspace, files, outcome};

const FIRST: &str = "import os\n\nLIMIT = 10\nNAME = \"first\"\n";
const SECOND: &str = "import os\n\nLIMIT = 10\nNAME = \"second\"\n";

/// The text between the first block and the fence of the second one, and the file that it names.
const LABELS: [(&str, &str); 46] = [
    ("src/b.py\n", "src/b.py"),
    ("`src/b.py`\n\n", "src/b.py"),
    ("**src/b.py**\n", "src/b.py"),
    ("**`src/b.py`**\n\n", "src/b.py"),
    ("*src/b.py*\n", "src/b.py"),
    ("src/b.py:\n", "src/b.py"),
    ("`src/b.py`:\n\n", "src/b.py"),
    ("- src/b.py\n\n", "src/b.py"),
    ("* `src/b.py`:\n", "src/b.py"),
    ("2. `src/b.py`\n\n", "src/b.py"),
    ("2) **src/b.py** – same limit\n\n", "src/b.py"),
    ("# src/b.py\n\n", "src/b.py"),
    ("### `src/b.py`\n\n", "src/b.py"),
    ("## 2. Update the model (`src/b.py`)\n\n", "src/b.py"),
    ("## Step 2: src/b.py\n\n", "src/b.py"),
    ("### 🚀 `src/b.py`\n\n", "src/b.py"),
    ("### 📄 2️⃣ src/b.py\n\n", "src/b.py"),
    ("### `src/b.py`\n\nThe limit is the same there.\n\n", "src/b.py"),
    ("### `src/b.py`\n\nThe limit is the same there.\n\nIt has to change in step:\n\n", "src/b.py"),
    ("---\n\n### src/b.py\n\n", "src/b.py"),
    ("Second file\n-----------\n\n`src/b.py`\n\n", "src/b.py"),
    ("File: src/b.py\n", "src/b.py"),
    ("**File:** `src/b.py`\n\n", "src/b.py"),
    ("Path: `src/b.py`\n", "src/b.py"),
    ("Filename: src/b.py\n", "src/b.py"),
    ("In `src/b.py`:\n\n", "src/b.py"),
    ("Now change `src/b.py` in the same way:\n\n", "src/b.py"),
    ("The same limit is in `src/b.py`, so it changes as well.\n\n", "src/b.py"),
    ("And in src/b.py:\n", "src/b.py"),
    ("[src/b.py](src/b.py)\n\n", "src/b.py"),
    ("[`b.py`](./src/b.py)\n\n", "src/b.py"),
    ("src/b.py (updated)\n", "src/b.py"),
    ("`src/b.py` — the other limit\n", "src/b.py"),
    ("./src/b.py\n", "src/b.py"),
    ("src/b.py:3\n", "src/b.py"),
    ("src/b.py#L3\n", "src/b.py"),
    ("`src/b.py:3-4`\n\n", "src/b.py"),
    ("src\\b.py\n", "src/b.py"),
    ("| File | Change |\n|---|---|\n| `src/b.py` | raise the limit |\n\n", "src/b.py"),
    ("<summary>src/b.py</summary>\n\n", "src/b.py"),
    ("> src/b.py\n\n", "src/b.py"),
    ("\"docs/my notes.txt\"\n", "docs/my notes.txt"),
    ("### `docs/my notes.txt`\n\n", "docs/my notes.txt"),
    ("`Makefile`\n", "Makefile"),
    ("bin/deploy\n", "bin/deploy"),
    ("文件：`源码/模块.py`\n\n", "源码/模块.py"),
];

/// The same for names in the opening line of the fence or in its first line.
const FENCES: [(&str, &str); 8] = [
    ("```python src/b.py\n", "src/b.py"),
    ("```python:src/b.py\n", "src/b.py"),
    ("```src/b.py\n", "src/b.py"),
    ("```python title=\"src/b.py\"\n", "src/b.py"),
    ("```python {file=\"src/b.py\"}\n", "src/b.py"),
    ("```python\nsrc/b.py\n", "src/b.py"),
    ("```python\n# src/b.py\n", "src/b.py"),
    ("````python\n# filepath: src/b.py\n", "src/b.py"),
];

fn try_name(opening: &str, path: &str) -> Outcome {
    let before = files([("src/a.py", FIRST), (path, SECOND)]);
    let mut after = before.clone();
    after.insert("src/a.py".to_owned(), FIRST.replace("first", "1st").into_bytes());
    after.insert(path.to_owned(), SECOND.replace("10", "20").into_bytes());
    let marks = if opening.contains("````") { "````" } else { "```" };
    let reply = format!(
        "src/a.py\n```python\n<<<<<<< SEARCH\nNAME = \"first\"\n=======\nNAME = \"1st\"\n>>>>>>> REPLACE\n```\n\n\
         {opening}<<<<<<< SEARCH\nLIMIT = 10\n=======\nLIMIT = 20\n>>>>>>> REPLACE\n{marks}\n"
    );
    outcome(&before, &reply, &after)
}

#[test]
fn a_block_is_never_applied_to_the_previous_file() {
    let mut tally = Tally::new("names");
    for (label, path) in LABELS {
        tally.add(
            "above the fence",
            try_name(&format!("{label}```python\n"), path),
            &format!("{label:?}"),
        );
    }
    for (opening, path) in FENCES {
        tally.add("in the fence", try_name(opening, path), &format!("{opening:?}"));
    }
    tally.report(Outcome::Applied, |outcome| match outcome {
        Outcome::Applied => "in the named file",
        Outcome::Refused => "refused",
        Outcome::Dropped => "DROPPED SILENTLY",
        Outcome::Wrong => "IN ANOTHER FILE",
    });
    let (wrong, dropped) = (tally.names(Outcome::Wrong), tally.count(Outcome::Dropped));
    assert!(
        wrong.is_empty() && dropped == 0,
        "in another file: {wrong:#?}, {dropped} dropped silently"
    );
}

#[test]
fn absolute_paths_are_accepted_only_below_the_root() {
    let workspace = Workspace::new(&files([("src/a.py", FIRST)]));
    let call = |path: &std::path::Path| {
        json!({"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": path, "old_string": "LIMIT = 10", "new_string": "LIMIT = 30"}})
            .to_string()
    };
    let root = workspace.root().canonicalize().unwrap();
    // The same relative path in the parent of the root.
    let outside = workspace.apply(call(&root.parent().unwrap().join("src/a.py")).as_bytes());
    assert_eq!(
        (outside.status, workspace.files()),
        (1, files([("src/a.py", FIRST)])),
        "{outside:?}"
    );
    let inside = workspace.apply(call(&root.join("src/a.py")).as_bytes());
    assert_eq!(
        (inside.status, workspace.files()),
        (0, files([("src/a.py", FIRST.replace("10", "30").as_str())])),
        "{inside:?}"
    );
}
