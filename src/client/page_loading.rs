//! The part of a client's page about the files that it loads.

use std::fmt::Write as _;

use super::loading::{
    Below, BudgetUnit, Dialect, Excludes, Instructions, Reach, Takes, Visibility,
};
use super::{Client, Reads};

/// What the client loads before a file is requested.
pub fn section(client: &Client, out: &mut String) {
    let loading = &client.loading;
    let Some(source) = client.sources.get(&loading.source) else { return };
    let _ = write!(out, "\n## Files it loads\n\nSource: {}\n\n", source.title);
    let reach = match loading.reach {
        Reach::Workspace => {
            "the folder of the workspace down to the one in which it is started".to_owned()
        }
        Reach::Marker => format!(
            "the nearest folder above with {}{} down to the one in which it is started{}; without one, \
             {}",
            list(&loading.markers),
            loading.markers_instead.as_ref().map_or_else(String::new, |setting| format!(
                ", or the names in `{}` of the user's `{}`,",
                setting.key, setting.file
            )),
            if loading.above { ", and memory files of the folder above it" } else { "" },
            if loading.above { "memory files of all folders above" } else { "only the latter" }
        ),
        Reach::Root => "only the folder of the workspace".to_owned(),
    };
    let _ = writeln!(out, "- Folders: {reach}");
    for group in &loading.memory {
        let how = match group.takes {
            Takes::First if group.names.len() > 1 => "in each folder the first of ",
            Takes::FirstOfChain => {
                "the first of these names that one of these folders has; in a folder below, the first that it has: "
            }
            Takes::First | Takes::All => "",
        };
        let more = group
            .more
            .as_ref()
            .map(|setting| format!(", then the names in `{}` of `{}`", setting.key, setting.file));
        let instead = group
            .instead
            .as_ref()
            .map(|setting| format!(", or the names in `{}` of `{}`", setting.key, setting.file));
        let unless = group.unless.as_ref().map(|place| format!(", if there is no `{place}`"));
        let setting = group
            .setting
            .as_ref()
            .map(|setting| format!(", unless `{}` is `false` in `{}`", setting.key, setting.file));
        let top = if group.top { ", at the top" } else { "" };
        let fallback =
            group.fallback.then(|| ", if none of these folders has one of the others".to_owned());
        let more =
            [more, instead, unless, fallback, setting].map(Option::unwrap_or_default).concat();
        let _ = writeln!(out, "- Memory: {how}{}{top}{more}", list(&group.names));
    }
    if let Some(Instructions { setting, .. }) = &loading.instructions {
        let _ = writeln!(
            out,
            "- Files that the globs in `{}` of `{}` match, but not addresses on the web",
            setting.key, setting.file
        );
    }
    if let Some(Excludes { setting, .. }) = &loading.excludes {
        let _ = writeln!(
            out,
            "- Not the memory files and rules that the globs in `{}` of `{}` match",
            setting.key, setting.file
        );
    }
    if let Some(Visibility { setting, values, .. }) = &loading.visibility {
        let values: Vec<String> = values.keys().cloned().collect();
        let _ = writeln!(
            out,
            "- `{}` in `{}` says by name what is listed in full, and what isn't ({})",
            setting.key,
            setting.file,
            list(&values)
        );
    }
    let below = match loading.below {
        Below::Ignored => None,
        Below::Match => Some("loaded when a file in them is worked on"),
        Below::Always => Some("loaded at the start"),
    };
    if let Some(below) = below {
        let _ = writeln!(out, "- Files in folders below: {below}");
    }
    if let Some(limit) = &loading.shared_limit {
        let _ = writeln!(out, "- All memory files of a project share {} bytes", limit.bytes);
    }
    for listing in &loading.listings {
        let kinds: Vec<&str> = listing.kinds.iter().map(|kind| kind.name()).collect();
        let _ = write!(out, "- A list of each {}", kinds.join(" and "));
        if let Some(budget) = &listing.budget {
            let unit = match budget.unit {
                BudgetUnit::Tokens => "tokens",
                BudgetUnit::Characters => "characters",
                BudgetUnit::Bytes => "bytes",
            };
            let _ = write!(out, ", at most {} {unit} ({})", budget.most, budget.text);
        }
        out.push('\n');
    }
    let conditional = client.reads.iter().filter(|reads| has_globs(reads));
    for reads in conditional {
        let library = match reads.globs.dialect {
            Dialect::Minimatch => "minimatch",
            Dialect::Picomatch => "picomatch",
            Dialect::Gitignore => "the library ignore, as in a `.gitignore`",
            Dialect::Vscode => "VS Code's own matcher",
        };
        let sure = if reads.globs.source.is_some() { "" } else { " (not published; assumed)" };
        let kind = reads.kind.name();
        let relative =
            if reads.globs.relative { "; `/` or `./` in front matches nothing" } else { "" };
        let flat = reads.globs.flat.as_ref();
        let flat = flat.map(|place| format!("; on {place}, `*.ts` matches only files at the root"));
        let flat = flat.unwrap_or_default();
        let written =
            if reads.globs.as_written { "; quotes and brackets become part of them" } else { "" };
        let _ = writeln!(
            out,
            "- Globs of each {kind}: matched by {library}{sure}{relative}{flat}{written}"
        );
    }
}

fn has_globs(reads: &Reads) -> bool {
    reads.when.iter().any(|when| when.mode == super::loading::Mode::Match)
}

fn list(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
