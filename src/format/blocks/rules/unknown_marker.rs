use super::RuleContext;
use crate::declare_rule;
use crate::format::blocks::written::{ENDS, HEADS, StrayKind};
use crate::rule::{Fix, Report};
use crate::suggestion::{closest, did_you_mean};
use crate::text::Edit;

declare_rule! {
    /// The line starts with `<<<<<<` or `>>>>>>` and a name, like a marker, but no kind of block
    /// has that name. agentmd treats the block as ordinary text and applies nothing.
    ///
    /// ````markdown bad within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SERACH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    ///
    /// ````markdown good within=clock
    /// **Assistant:** Done.
    ///
    /// clock.py
    /// <<<<<< SEARCH
    /// print(time.time())
    /// =======
    /// print(time.ctime())
    /// >>>>>> REPLACE
    /// ````
    pub static RULE = "edit/unknown-marker", Error, "Unknown marker";
}

pub fn check(context: &RuleContext, report: &mut Report) {
    for stray in &context.strays {
        let meant = |names: &[&'static str]| {
            closest(&stray.word.replacen(' ', "_", 1), names.iter().copied())
        };
        let (names, expected) = match stray.kind {
            // `unterminated-block` reports the end that begins like a head.
            StrayKind::UnknownHead
                if stray.block.is_some() && meant(HEADS).is_none() && meant(ENDS).is_some() =>
            {
                continue;
            }
            StrayKind::UnknownHead => (HEADS, None),
            StrayKind::UnknownEnd => (
                ENDS,
                context
                    .live()
                    .find(|item| context.meant_end(item) == Some(stray))
                    .map(|item| item.names().1),
            ),
            StrayKind::Orphan => continue,
        };
        let meant = expected.or_else(|| meant(names));
        let known = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let kind = if stray.kind == StrayKind::UnknownHead { "begins" } else { "ends" };
        let message = format!(
            "`{}` is not a marker that {kind} a block ({known}), so it is plain text{}",
            stray.word,
            did_you_mean(meant)
        );
        let finding = report.add(&RULE, stray.name.clone(), message);
        if let Some(meant) = meant {
            finding.fix(Fix::suggestion(
                format!("Replace with `{meant}`"),
                vec![Edit::replace(stray.name.clone(), meant)],
            ));
        }
    }
}
