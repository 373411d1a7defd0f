//! Sym-Ops, what Duckflow's own agent writes today instead of markers (DUCK-17). It is recognised
//! by its line of vitals.

use crate::text::Span;

/// The first line that consists of `::c0.95 ::s0.9 ::m0.6 ::f0.9` or some of these: confidence,
/// safety, memory, focus.
pub fn vitals(text: &str) -> Option<Span> {
    let starts =
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    starts.filter(|start| text.get(*start..).is_some_and(|rest| rest.starts_with("::"))).find_map(
        |start| {
            let line = text.get(start..)?.lines().next()?.trim_end();
            is_vitals(line).then(|| start..start + line.len())
        },
    )
}

fn is_vitals(line: &str) -> bool {
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty()).peekable();
    // A single one may be anything: `::c1`.
    words.peek().is_some() && (line.contains('.') || line.contains(' ')) && words.all(is_vital)
}

fn is_vital(word: &str) -> bool {
    let number = word.strip_prefix("::").and_then(|word| word.strip_prefix(['c', 's', 'm', 'f']));
    number.is_some_and(|number| {
        number.starts_with(|first: char| first.is_ascii_digit()) && number.parse::<f64>().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::vitals;

    #[test]
    fn duck_17_a_line_of_vitals() {
        assert_eq!(vitals(">> Done.\r\n::c0.95 ::s0.9 ::m0.6 ::f0.9\r\n::finish\n"), Some(10..38));
        assert_eq!(vitals("::c0.8"), Some(0..6));
        for text in
            ["::c1", "::std::vec", "::c0.9 ::x1", " ::c0.9", "a ::c0.9", "::finish", "::c0.9.1", ""]
        {
            assert_eq!(vitals(text), None, "{text}");
        }
    }
}
