//! Writes the drawn cases to a file, so that other edit engines can be measured on the same ones.

use std::fs::File;
use std::io::{BufWriter, Write};

use serde_json::json;

use super::kinds::Case;

/// Does nothing unless `AGENTMD_NOISE_DUMP` names a file.
pub struct Dump(Option<BufWriter<File>>);

impl Dump {
    pub fn from_env() -> Self {
        let path = std::env::var_os("AGENTMD_NOISE_DUMP");
        Self(path.map(|path| {
            BufWriter::new(
                File::create(path).expect("the file of AGENTMD_NOISE_DUMP can be created"),
            )
        }))
    }

    /// Adds a case as one line of JSON. `wanted` is null for a trap; `line` and `hint`
    /// count from 1.
    pub fn write(&mut self, case: &Case, kind: &str, seed: u64) {
        let Some(file) = &mut self.0 else { return };
        let Case { before, wanted, search, replace, line, hint } = case;
        let entry = json!({
            "kind": kind, "before": before, "search": search, "replace": replace, "wanted": wanted, "line": line + 1, "hint": hint, "seed": seed
        });
        writeln!(file, "{entry}").expect("a case can be written");
    }
}
