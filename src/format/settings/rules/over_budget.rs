use crate::declare_rule;
use crate::format::Context;
use crate::format::agent::loaded::{self, Files, Question, cost};
use crate::rule::Report;
use crate::text::Span;

declare_rule! {
    /// A client loads more before it does anything than `always` in `[budget]` allows: memory files
    /// with their imports, rules without a condition, and the lists of skills and agents. Every
    /// request pays for it, and what a model should follow drowns in it.
    ///
    /// Tokens are counted as a quarter of the bytes. `agentmd cost --files` shows what each file
    /// costs. Move what is needed rarely into skills, or into rules with globs.
    ///
    /// ````markdown file=CLAUDE.md
    /// # Tea
    ///
    /// Boil the water before you steep the leaves.
    /// ````
    ///
    /// ````toml bad path=agentmd.toml
    /// [budget]
    /// always = 2
    /// ````
    ///
    /// ````toml good path=agentmd.toml
    /// [budget]
    /// always = 10000
    /// ````
    pub static RULE = "settings/over-budget", Error, "Agent files that cost more than they may";
}

/// Reports clients that always load more than the budget allows.
pub fn check(cx: &Context, report: &mut Report) {
    let text = cx.source.text().to_string();
    let Some((most, span)) = budget(&text) else { return };
    let Some(root) = cx.path.and_then(std::path::Path::parent) else { return };
    let question = Question {
        world: cx.world,
        config: cx.config,
        root: root.to_owned(),
        start: root.to_owned(),
        assumed: false,
        path: None,
        home: None,
        files: Files::new(&[]),
        exact: false,
        cancelled: cx.cancelled,
    };
    let clients = loaded::clients(cx.world, root, cx.config);
    let over: Vec<String> = cost::costs(&question, &clients)
        .iter()
        .filter(|cost| cost.always > most)
        .map(|cost| {
            let client = clients.iter().find(|client| client.name == cost.client);
            let title = client.map_or(cost.client.as_str(), |client| &client.title);
            format!("{title} always loads {} tokens", cost.always)
        })
        .collect();
    if !over.is_empty() {
        report.add(&RULE, span, format!("over the budget of {most}: {}", over.join(", ")));
    }
}

/// The limit, and its span.
fn budget(text: &str) -> Option<(usize, Span)> {
    #[derive(serde::Deserialize)]
    struct Settings {
        budget: Budget,
    }
    #[derive(serde::Deserialize)]
    struct Budget {
        always: toml::Spanned<usize>,
    }
    let settings: Settings = toml::from_str(text).ok()?;
    let always = settings.budget.always;
    let span = always.span();
    let most = always.into_inner();
    (most > 0).then_some((most, span))
}
