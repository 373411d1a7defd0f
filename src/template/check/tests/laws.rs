//! The checker agrees with the renderer: random templates, rendered with random inputs.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::template::render;
use crate::template::render::{Limits, RenderError, Rendered};

/// A property that no type has: the checker promises nothing about it.
fn typed() -> Value {
    let mut schema = schema();
    for list in ["/properties", "/required"] {
        match schema.pointer_mut(list) {
            Some(Value::Object(named)) => named.retain(|name, _| name != "free" && name != "meta"),
            Some(Value::Array(names)) => names.retain(|name| name != "free" && name != "meta"),
            _ => {}
        }
    }
    schema
}

fn user(depth: u32) -> BoxedStrategy<Value> {
    let inner =
        if depth == 0 { Just(None).boxed() } else { prop::option::of(user(depth - 1)).boxed() };
    (text(), prop::option::of(text()), inner)
        .prop_map(|(name, email, boss)| {
            let mut user = json!({ "name": name });
            email.into_iter().for_each(|email| user["email"] = email.into());
            boss.into_iter().for_each(|boss| user["boss"] = boss);
            user
        })
        .boxed()
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", "a", "x,y", "é日🦆"]).prop_map(str::to_owned)
}

fn input() -> impl Strategy<Value = Value> {
    let scalars = (
        text(),
        prop::option::of(text()),
        -1..3i64,
        prop::sample::select(vec![0.0, 1.5, 2.0]),
        any::<bool>(),
    );
    let choices = (
        prop::sample::select(vec!["xml", "json", "text"]),
        prop::option::of(text()),
        any::<bool>(),
    );
    let lists = (
        prop::collection::vec(text(), 0..3),
        prop::collection::vec(user(1), 0..3),
        prop::option::of(0..9i64),
    );
    (scalars, choices, lists, user(2), prop::option::of(user(2))).prop_map(|(scalars, choices, lists, user, boss)| {
        let mixed = if choices.2 { json!("m") } else { json!(7) };
        let map = lists.2.map_or_else(|| json!({}), |a| json!({ "a": a }));
        let mut input = json!({
            "name": scalars.0, "count": scalars.2, "price": scalars.3, "flag": scalars.4, "kind": choices.0, "note": choices.1, "mixed": mixed,
            "tags": lists.0, "user": user, "people": lists.1, "foo-bar": "f", "map": map,
        });
        scalars.1.into_iter().for_each(|nick| input["nick"] = nick.into());
        boss.into_iter().for_each(|boss| input["boss"] = boss);
        input
    })
}

/// Every property has a non-empty value; or only the required ones exist, and nullable ones are
/// null.
fn extremes() -> [Value; 2] {
    let boss = json!({ "name": "b", "email": "e", "boss": { "name": "c", "email": "e", "boss": { "name": "d", "email": "e" } } });
    let full = json!({
        "name": "n", "nick": "k", "count": 2, "price": 1.5, "flag": true, "kind": "xml", "note": "o", "mixed": "m", "tags": ["t", "u"],
        "user": boss, "boss": boss, "people": [boss], "foo-bar": "f", "map": { "a": 1 },
    });
    let least = json!({
        "name": "", "count": 0, "price": 0.5, "flag": false, "kind": "text", "note": null, "mixed": 7, "tags": ["t"], "user": { "name": "n" },
        "people": [{ "name": "p" }], "foo-bar": "f", "map": {},
    });
    [full, least]
}

fn path() -> impl Strategy<Value = String> {
    let paths = [
        ".",
        ".name",
        ".nick",
        ".count",
        ".price",
        ".flag",
        ".kind",
        ".note",
        ".mixed",
        ".tags",
        ".user",
        ".user.name",
        ".user.email",
        ".boss",
        ".boss.name",
        ".user.boss.name",
        ".people",
        "$.name",
        "$.nick",
        "$.boss.boss.name",
        "$x",
        "$x.name",
        ".map",
        ".map.a",
        ".email",
        ".boss.nme",
        "(.user).boss",
        "\"xml\"",
        "\"a\"",
        "1",
        "2.5",
        "true",
        "(index . \"foo-bar\")",
        "(index .map \"a\")",
        "$",
    ];
    prop::sample::select(paths.to_vec()).prop_map(str::to_owned)
}

fn expression() -> impl Strategy<Value = String> {
    let unary = prop::sample::select(vec![
        "upper",
        "title",
        "len",
        "not",
        "print",
        "html",
        "printf \"%s\"",
        "printf \"%d\"",
    ]);
    let binary = prop::sample::select(vec![
        "eq", "ne", "lt", "ge", "and", "or", "default", "join", "split", "print",
    ]);
    path().prop_recursive(3, 12, 3, move |inner| {
        prop_oneof![
            3 => (unary.clone(), inner.clone()).prop_map(|(name, of)| format!("({name} {of})")),
            4 => (binary.clone(), inner.clone(), inner.clone()).prop_map(|(name, a, b)| format!("({name} {a} {b})")),
            1 => (inner.clone(), unary.clone()).prop_map(|(of, name)| format!("({of} | {name})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(of, other)| format!("({of} | default {other})")),
            1 => inner.clone().prop_map(|of| format!("(slice {of} 0 0)")),
        ]
    })
}

fn template() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => expression().prop_map(|of| format!("{{{{ {of} }}}}")),
        1 => expression().prop_map(|of| format!("{{{{ $x = {of} }}}}")),
        1 => expression().prop_map(|of| format!("{{{{ $x := {of} }}}}")),
    ];
    let nested = leaf.prop_recursive(4, 24, 3, |inner| {
        let body = prop::collection::vec(inner, 1..3).prop_map(|nodes| nodes.concat());
        let keyword = prop::sample::select(vec!["if", "with", "range", "range $x :=", "range $i, $x :=", "if $x :=", "if not"]);
        prop_oneof![
            4 => (keyword, expression(), body.clone()).prop_map(|(word, of, body)| format!("{{{{ {word} {of} }}}}{body}{{{{ end }}}}")),
            2 => (expression(), body.clone(), body.clone()).prop_map(|(of, a, b)| format!("{{{{ if {of} }}}}{a}{{{{ else }}}}{b}{{{{ end }}}}")),
            1 => (path(), path(), body.clone(), body).prop_map(|(of, other, a, b)| {
                format!("{{{{ with {of} }}}}{a}{{{{ else with {other} }}}}{b}{{{{ end }}}}")
            }),
        ]
    });
    prop::collection::vec(nested, 1..4)
        .prop_map(|nodes| format!("{{{{ $x := .name }}}}{}", nodes.concat()))
}

fn rendered(text: &str, input: &Value) -> Result<Rendered, RenderError> {
    render::render(&parse(text, &[]), text, input, &Limits::default())
}

fn found(text: &str) -> Vec<Problem> {
    check(&parse(text, &[]), &Types::new(Some(&typed())), &Environment::default()).problems
}

/// The same cases every time, unless `CHECK_CASES` asks for that many new ones.
fn cases(count: u32) -> ProptestConfig {
    let wanted = std::env::var("CHECK_CASES").ok().and_then(|cases| cases.parse().ok());
    let rng_seed = if wanted.is_some() { RngSeed::Random } else { RngSeed::Fixed(18) };
    ProptestConfig {
        cases: wanted.unwrap_or(count),
        rng_seed,
        max_global_rejects: 1 << 20,
        max_local_rejects: 1 << 20,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn mdl_18_a_template_without_problems_renders(text in template(), inputs in prop::collection::vec(input(), 6)) {
        if found(&text).is_empty() {
            for input in inputs.iter().chain(&extremes()) {
                let outcome = rendered(&text, input);
                prop_assert!(outcome.as_ref().is_ok_and(|rendered| rendered.missing.is_empty()), "{}\n{}\n{:?}", text, input, outcome);
            }
        }
    }

    /// For a single expression, so that it's always evaluated.
    #[test]
    fn mdl_18_every_problem_is_real(expression in expression(), inputs in prop::collection::vec(input(), 12)) {
        let text = format!("{{{{ $x := .nick }}}}{{{{ {expression} }}}}");
        let problems = found(&text);
        // These can't fail, and their output isn't checked further.
        let odd = |problem: &Problem| match &problem.kind {
            ProblemKind::PossiblyMissing(missing) => missing.effect == Effect::Nil,
            kind => matches!(
                kind,
                // Two kinds at once, each with several possibilities: few inputs have them.
                ProblemKind::Incomparable { certain: false, .. } | ProblemKind::ImpossibleValue { .. } | ProblemKind::UnknownField { .. } | ProblemKind::FormatVerb { .. } | ProblemKind::FormatCount { .. }
            ),
        };
        // It's not always known which argument is the result.
        let lazy = ["(and", "(or", "default"].iter().any(|word| text.contains(word));
        if !lazy && problems.iter().any(|problem| !odd(problem)) {
            let fails = |input: &Value| match rendered(&text, input) {
                Err(_) => true,
                Ok(rendered) => !rendered.missing.is_empty() || rendered.text.to_lowercase().contains("<nil>") || rendered.text.contains("<no value>") || rendered.text.contains("%!"),
            };
            let any = inputs.iter().chain(&extremes()).any(fails);
            prop_assert!(any, "{}\n{:#?}", text, problems);
        }
    }
}
