//! The server and the plugin in a real Neovim: `editors/nvim.lua` types keys and reads the screen.
//!
//! Needs Neovim 0.11 or newer, from `AGENTMD_NVIM`, from the path, or installed by `.ci/run`.
//! Otherwise the test is ignored. `AGENTMD_NVIM_TEST=word` runs the cases whose name contains the
//! word.

#[path = "support/optional.rs"]
mod optional;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const OLDEST: (u32, u32) = (0, 11);

fn main() {
    let missing = format!(
        "Neovim {}.{} or newer is missing; set AGENTMD_NVIM, or run .ci/run",
        OLDEST.0, OLDEST.1
    );
    let missing = neovim(Path::new(env!("CARGO_MANIFEST_DIR"))).is_none().then_some(missing);
    optional::main(vec![optional::Optional {
        name: "a_person_in_neovim",
        missing,
        run: a_person_in_neovim,
    }])
}

fn a_person_in_neovim() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let nvim = neovim(root).expect("Neovim");
    let mut run = Command::new(&nvim);
    run.args(["--clean", "-l"]).arg(root.join("tests/editors/nvim.lua"));
    run.args([
        Path::new(env!("CARGO_BIN_EXE_agentmd")),
        &root.join("editors/nvim"),
        &root.join("examples"),
    ]);
    run.args(std::env::var("AGENTMD_NVIM_TEST")).stdin(Stdio::null());
    let output = run.output().unwrap();
    let said = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .concat();
    println!("{}\n{said}", nvim.display());
    assert!(output.status.success(), "{said}");
}

fn neovim(root: &Path) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("AGENTMD_NVIM") {
        let named = PathBuf::from(named);
        assert!(
            is_new_enough(&named),
            "AGENTMD_NVIM={} is not Neovim {}.{} or newer",
            named.display(),
            OLDEST.0,
            OLDEST.1
        );
        return Some(named);
    }
    [PathBuf::from("nvim"), root.join("target/editors/bin/nvim")]
        .into_iter()
        .find(|program| is_new_enough(program))
}

fn is_new_enough(program: &Path) -> bool {
    let Ok(run) = Command::new(program).arg("--version").stdin(Stdio::null()).output() else {
        return false;
    };
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let version = said.strip_prefix("NVIM v").and_then(|rest| {
        let mut numbers = rest.split(['.', '-', '\n']).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    });
    version.is_some_and(|version: (u32, u32)| version >= OLDEST)
}
