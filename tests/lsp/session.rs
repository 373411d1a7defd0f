//! Random sessions: every message that an editor can send, in any order, about documents of every
//! kind and name. Each request must be answered, nothing may panic, and the findings at the end
//! must equal those of a freshly opened document.
//!
//! `SESSIONS=2000 cargo test --test lsp session` runs more sessions; `SESSION=17` repeats one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tower_lsp::gen_lsp_types::*;

use crate::client::{Client, Setup};
use crate::fixture::program;
use crate::profile;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const REPLY: &str = "[REASONING]\nThere is much to do 🦆.\n\n[CONFIDENCE] 0.9\n[MOOD] 0.5\n[FOCUS] 1\n[STAMINA] 0.7\n\n[ACTION_0_TYPE] create_file\n[ACTION_0_PATH] new/a.py\n[ACTION_0_CONTENT_START]\nprint(1)\n[ACTION_0_CONTENT_END]\n\n[ACTION_1_TYPE] delete_file\n[ACTION_1_PATH] sub/helper.md\n\n[ACTION_2_TYPE] finish\n[ACTION_2_RESULT] done\n";
const LLMD: &str = "# Project: Clock\n\n## Meta: LLMD\n\nEdit blocks.\n\n## Mission\n\nTell the time.\n\n## Code Context\n\n### a.py\n\n```python\none = 1\ntwo = 2\n```\n\n## Changelog\n\n- Created\n\n## Conversation Thread\n\n### Entry 1\n\n**Human:** More.\n\n**Assistant:** Done.\n\na.py\n<<<<<< SEARCH\none = 1\n======\none = 11\n>>>>>> REPLACE\n\nb.py\n<<<<<< SEARCH\nbee\n======\nbees\n>>>>>> REPLACE\n";
const EDITS: &str = "b.py\n<<<<<<< SEARCH\nb = 1\n=======\nb = 2\n>>>>>>> REPLACE\n\nb.py\n<<<<<<< SEARCH\nc = 1\n=======\nc = 2\n>>>>>>> REPLACE\n";
const PACK: &str =
    "# Context\n\n- [Code (b.py:1-2)]\n```python\nb = 1\nc = 1\n```\n\n- [Error]\n```\n日本\n```\n";
const NOTES: &str = "# Notes\n\nSee `doc::heading:h1[0]` and [x](sub/helper.md#x).\n\n## Two\r\n\r\n| a | b |\r\n|---|---|\r\n| `p::section[1]` | 2 |\n";
const PIECES: [&str; 14] = [
    "x",
    "\n",
    "🦆",
    "{{ .who }}",
    "{{",
    "---\n",
    "# H\n",
    "<<<<<<< SEARCH\n",
    "[ACTION_3_TYPE] x\n",
    "```\n",
    "\r\n",
    "`doc::root`",
    "\u{feff}",
    "e\u{301}",
];

fn texts() -> [String; 6] {
    let imports = program("imports: [./sub/helper.md, ./gone.md]\nmodle: x\n");
    [
        imports,
        REPLY.to_owned(),
        LLMD.to_owned(),
        EDITS.to_owned(),
        PACK.to_owned(),
        NOTES.to_owned(),
    ]
}

/// Requests about a document; a position or a range is added to those that need one.
const REQUESTS: [&str; 16] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/documentLink",
    "textDocument/documentHighlight",
    "textDocument/semanticTokens/full",
    "textDocument/inlayHint",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/linkedEditingRange",
    "textDocument/prepareCallHierarchy",
    "textDocument/diagnostic",
];

struct Session {
    client: Client,
    random: Random,
    names: Vec<String>,
    open: Vec<String>,
    pending: Vec<i64>,
    offered: Vec<Value>,
}

impl Session {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let able = profile::with(
            profile::pull(),
            "/textDocument/codeAction",
            "resolveSupport",
            json!({ "properties": ["edit"] }),
        );
        let able = profile::with(able, "/workspace", "codeLens", json!({ "refreshSupport": true }));
        let capabilities = match random.below(3) {
            0 => able,
            1 => profile::with(able, "/general", "positionEncodings", json!(["utf-8"])),
            _ => profile::pull(),
        };
        let files = format!(
            "//- sub/helper.md\n{}//- b.py\nb = 1\nc = 1\n//- doc.md\n{}",
            program(""),
            program("imports: [./sub/helper.md]\n")
        );
        let client = Setup::new(&files).capabilities(capabilities).start();
        let folder = client.uri("");
        let mut names: Vec<String> =
            ["doc.md", "reply.md", "p.ll.md", "edits.md", "pack.md", "notes.md", "sub/helper.md"]
                .map(str::to_owned)
                .to_vec();
        names.extend(
            ["a%20b%23c%25d.md", "%E6%97%A5%E6%9C%AC.md", "sub/%5B1%5D.md"]
                .map(|name| format!("{folder}/{name}")),
        );
        names.extend(
            [
                "untitled:Untitled-1",
                "vscode-vfs://github/x/y.md",
                "git:/a.md?%7B%22ref%22%3A%22~%22%7D",
            ]
            .map(str::to_owned),
        );
        Self { client, random, names, open: Vec::new(), pending: Vec::new(), offered: Vec::new() }
    }

    fn place(&mut self, name: &str) -> usize {
        let text = self.client.text(name);
        let mut at = self.random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        // Not between the two characters of a line break.
        if at > 0 && text.as_bytes().get(at) == Some(&b'\n') && text.as_bytes()[at - 1] == b'\r' {
            at - 1
        } else {
            at
        }
    }

    fn range(&mut self, name: &str) -> Value {
        let (a, b) = (self.place(name), self.place(name));
        json!(self.client.range(name, a.min(b)..a.max(b)))
    }

    fn open_one(&mut self) {
        let name = self.random.of(&self.names).clone();
        let text = match self.random.below(8) {
            0 => "x\n".repeat(self.random.below(3000)),
            _ => self.random.of(&texts()).clone(),
        };
        self.client.open_with(&name, &text);
        if !self.open.contains(&name) {
            self.open.push(name);
        }
    }

    fn ask(&mut self, method: &str, params: Value) {
        let id = self.client.send_request(method, params);
        if self.random.below(12) == 0 {
            self.client.cancel(id);
        }
        self.pending.push(id);
    }

    /// Waits for the answer and keeps what it offers.
    fn offers(&mut self, method: &str, params: Value) {
        let answer = self.client.ask(method, params);
        check(&answer);
        self.offered.extend(
            answer.ok().as_ref().and_then(Value::as_array).into_iter().flatten().take(4).cloned(),
        );
    }

    fn take_an_offer(&mut self) {
        if self.offered.is_empty() {
            return;
        }
        let at = self.random.below(self.offered.len());
        let offer = self.offered.swap_remove(at);
        if let Some(command) = offer.get("command").filter(|command| command.is_object()) {
            let params =
                json!({ "command": command["command"], "arguments": command["arguments"] });
            self.ask("workspace/executeCommand", params);
        }
        if offer.get("title").is_some() {
            self.ask("codeAction/resolve", offer);
        }
    }

    fn command(&mut self) {
        let commands = [
            "agentmd.apply",
            "agentmd.applied",
            "agentmd.copySelector",
            "agentmd.rewriteSelectors",
            "agentmd.addToContext",
            "agentmd.show",
            "agentmd.none",
        ];
        let (command, name) = (*self.random.of(&commands), self.random.of(&self.names).clone());
        let uri = self.client.uri(&name);
        let position = json!({ "line": self.random.below(40), "character": self.random.below(20) });
        let range =
            json!({ "start": { "line": self.random.below(9), "character": 0 }, "end": position });
        let arguments = match self.random.below(4) {
            0 => json!([]),
            1 => json!([{ "uri": 1, "blocks": "x" }]),
            _ => {
                json!([{ "uri": uri, "version": self.random.below(4), "blocks": [0, 1, self.random.below(9)], "position": position, "range": range, "line": 3 }])
            }
        };
        self.ask("workspace/executeCommand", json!({ "command": command, "arguments": arguments }));
    }

    fn disk(&mut self) {
        let name = *self.random.of(&[
            "sub/helper.md",
            "b.py",
            "new.md",
            "sub/agentmd.toml",
            "agentmd.toml",
            "broken.md",
        ]);
        let path = self.client.path(name);
        match self.random.below(5) {
            0 => drop(std::fs::remove_file(&path)),
            1 => {
                let (sub, other) = (self.client.path("sub"), self.client.path("sub 2 #%日本"));
                let _ = if sub.exists() {
                    std::fs::rename(sub, other)
                } else {
                    std::fs::rename(other, sub)
                };
            }
            2 if name.ends_with(".toml") => {
                self.client.write(name, "[rules]\n\"markdownlang/unknown-field\" = \"error\"\n")
            }
            3 => self.client.write(name, [b"\xff\xfe# x\n".as_slice(), b"\0\n"].concat()),
            _ if name.ends_with(".toml") => drop(std::fs::remove_file(&path)),
            _ => {
                let text = self.random.of(&texts()).clone();
                self.client.write(name, text);
            }
        }
        if self.random.below(3) > 0 {
            let event = json!({ "changes": [{ "uri": self.client.uri(name), "type": 1 + self.random.below(3) }] });
            self.client.notify::<DidChangeWatchedFilesNotification>(event);
        }
    }

    fn folders(&mut self) {
        let name = *self.random.of(&["", "sub", "sub 2", "none"]);
        let folder = json!([{ "uri": self.client.uri(name), "name": "x" }]);
        let (added, removed) =
            if self.random.below(2) == 0 { (folder, json!([])) } else { (json!([]), folder) };
        self.client.notify::<DidChangeWorkspaceFoldersNotification>(
            json!({ "event": { "added": added, "removed": removed } }),
        );
    }

    fn step(&mut self) {
        let what = self.random.below(24);
        if self.open.is_empty() || what < 2 {
            return self.open_one();
        }
        let name = self.random.of(&self.open).clone();
        let document = self.client.document(&name);
        match what {
            2 => {
                self.client.close(&name);
                self.open.retain(|open| *open != name);
            }
            3..9 => {
                let (a, b) = (self.place(&name), self.place(&name));
                let end = if self.random.below(4) == 0 { a.max(b) } else { a.min(b) };
                let piece = *self.random.of(&PIECES);
                self.client.edit(&name, a.min(b)..end, piece);
            }
            9 => {
                let text = self.random.of(&texts()).clone();
                self.client.replace(&name, &text);
            }
            10..15 => {
                let method = *self.random.of(&REQUESTS);
                let place = self.place(&name);
                let position = json!(self.client.position(&name, place));
                let range = self.range(&name);
                let params = json!({ "textDocument": document, "position": position, "positions": [position], "range": range, "context": { "includeDeclaration": true } });
                self.ask(method, params);
            }
            15 | 16 => {
                let range = self.range(&name);
                self.offers("textDocument/codeAction", json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }));
            }
            17 => self.offers("textDocument/codeLens", json!({ "textDocument": document })),
            18 => self.take_an_offer(),
            19 => self.command(),
            20 => self.disk(),
            21 => match self.random.below(3) {
                0 => self.folders(),
                1 => {
                    let settings = json!({ "selector-hints": self.random.below(2) == 0, "max-findings": self.random.below(3) });
                    self.client.set_settings(settings);
                    self.client
                        .notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
                }
                _ => self
                    .client
                    .notify::<DidSaveTextDocumentNotification>(json!({ "textDocument": document })),
            },
            22 => {
                let (from, to) = (self.client.uri("sub"), self.client.uri("sub 3"));
                let files = json!({ "files": [{ "oldUri": from, "newUri": to }] });
                self.ask("workspace/willRenameFiles", files);
            }
            _ => self.ask("workspace/diagnostic", json!({ "previousResultIds": [] })),
        }
    }

    /// Checks that everything is answered and that reopening a document gives the same findings.
    fn end(mut self) {
        for id in std::mem::take(&mut self.pending) {
            check(&self.client.wait_for_answer(id));
        }
        self.client.set_settings(Value::Null);
        self.client.notify::<DidChangeConfigurationNotification>(json!({ "settings": null }));
        self.client.asked.clear();
        self.client.wait_for_question("workspace/configuration");
        // Settings may still be on their way, and unreported changes on disk are looked for every
        // second, or later on a busy machine.
        loop {
            let findings = |client: &mut Client, open: &[String]| {
                open.iter().map(|name| client.diagnostics(name)).collect::<Vec<_>>()
            };
            let open = self.open.clone();
            let before = findings(&mut self.client, &open);
            std::thread::sleep(Duration::from_millis(1300));
            self.client.sync();
            if findings(&mut self.client, &open) == before {
                break;
            }
        }
        for name in self.open.clone() {
            let text = self.client.text(&name).to_owned();
            let found = self.client.diagnostics(&name);
            self.client.close(&name);
            self.client.open_with(&name, &text);
            assert_eq!(found, self.client.diagnostics(&name), "{name}:\n{text}");
        }
        // Messages about wrong settings are fine.
        self.client.heard.clear();
    }
}

/// Accepts a result or an error that a client can act on, but no internal error.
fn check(answer: &Result<Value, crate::client::RpcError>) {
    if let Err(error) = answer {
        assert!([-32800, -32801, -32803, -32602].contains(&error.code), "{error:?}");
    }
}

#[test]
fn random_sessions_end_like_fresh_ones() {
    let number =
        |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let seeds =
        number("SESSION").map_or(0..number("SESSIONS").unwrap_or(40), |seed| seed..seed + 1);
    let next = AtomicU64::new(seeds.start);
    let run = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            eprintln!("session {seed}");
            let mut session = Session::new(seed);
            for _ in 0..80 {
                session.step();
            }
            session.end();
        }
    };
    // Sessions spend most of their time waiting.
    std::thread::scope(|scope| (0..8).for_each(|_| drop(scope.spawn(run))));
}
