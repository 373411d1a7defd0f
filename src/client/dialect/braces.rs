//! Braces with several alternatives: `{a,b}`, `{1..3}`, `{a..e..2}`.

/// The limit of globs; Claude Code stops there too.
const MOST: usize = 1000;

/// Every glob that a glob with braces expands to, in order. One with too many is literal.
pub fn expand(glob: &str) -> Vec<String> {
    let mut found = Vec::new();
    let letters: Vec<char> = glob.chars().collect();
    if into(&letters, &mut found, 0) { found } else { vec![glob.to_owned()] }
}

/// Braces in braces deeper than this are literal.
const DEEPEST: usize = 32;

fn into(letters: &[char], found: &mut Vec<String>, depth: usize) -> bool {
    let Some((open, close)) = (depth < DEEPEST).then(|| pair(letters)).flatten() else {
        found.push(letters.iter().collect());
        return found.len() <= MOST;
    };
    let before: String = letters.get(..open).unwrap_or_default().iter().collect();
    let inside = letters.get(open + 1..close).unwrap_or_default();
    let mut tails = Vec::new();
    if !into(letters.get(close + 1..).unwrap_or_default(), &mut tails, depth + 1) {
        return false;
    }
    let mut middles = Vec::new();
    match range(inside) {
        Some(values) => middles = values,
        None => {
            for part in parts(inside) {
                if !into(part, &mut middles, depth + 1) {
                    return false;
                }
            }
        }
    }
    for middle in &middles {
        for tail in &tails {
            found.push(format!("{before}{middle}{tail}"));
            if found.len() > MOST {
                return false;
            }
        }
    }
    true
}

/// The first braces with several alternatives.
fn pair(letters: &[char]) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(letter) = letters.get(at) {
        match letter {
            '\\' => at += 1,
            '{' if at == 0 || letters.get(at - 1) != Some(&'$') => {
                if let Some(close) = closing(letters, at) {
                    let inside = letters.get(at + 1..close).unwrap_or_default();
                    if parts(inside).len() > 1 || range(inside).is_some() {
                        return Some((at, close));
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The brace that closes the one at `open`.
pub fn closing(letters: &[char], open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, open);
    while let Some(letter) = letters.get(at) {
        match letter {
            '\\' => at += 1,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The parts between the commas outside of inner braces.
pub fn parts(inside: &[char]) -> Vec<&[char]> {
    let (mut found, mut depth, mut start, mut at) = (Vec::new(), 0_usize, 0, 0);
    while let Some(letter) = inside.get(at) {
        match letter {
            '\\' => at += 1,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(inside.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found.extend(inside.get(start..));
    found
}

fn range(inside: &[char]) -> Option<Vec<String>> {
    let text: String = inside.iter().collect();
    let mut ends = text.split("..");
    let (from, to, step) = (ends.next()?, ends.next()?, ends.next());
    if ends.next().is_some() {
        return None;
    }
    let step = step.map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
    if let (Ok(low), Ok(high)) = (from.parse::<i64>(), to.parse::<i64>()) {
        let padded = |text: &str| {
            let digits = text.trim_start_matches('-');
            digits.len() > 1 && digits.starts_with('0')
        };
        let width = if padded(from) || padded(to) { from.len().max(to.len()) } else { 0 };
        let count = low.abs_diff(high) / step;
        if count > MOST as u64 {
            return None;
        }
        let step = i64::try_from(step).ok()?;
        let step = if low <= high { step } else { -step };
        let value = |number: u64| low + step * i64::try_from(number).unwrap_or_default();
        return Some((0..=count).map(|number| format!("{:0width$}", value(number))).collect());
    }
    let one = |text: &str| {
        let mut letters = text.chars();
        letters.next().filter(|letter| letter.is_ascii_alphabetic() && letters.next().is_none())
    };
    let (low, high) = (one(from)?, one(to)?);
    let step = usize::try_from(step).ok()?;
    let mut letters: Vec<String> =
        (low.min(high)..=low.max(high)).map(|letter| letter.to_string()).collect();
    if low > high {
        letters.reverse();
    }
    Some(letters.into_iter().step_by(step).collect())
}
