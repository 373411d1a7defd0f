//! Properties of every template and every input.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::attempt;
use crate::template::parse;
use crate::template::render::{Limits, render};

fn input() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-zé🦆<{ ,%]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[abls]", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Templates that usually parse.
fn template() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just(".".to_owned()),
        "\\.[abls](\\.[ab])?",
        "\\$(\\.[abls])?",
        "[0-9]{1,3}(\\.5)?",
        Just("nil".to_owned()),
        "\"[a-z%é ]{0,6}\"",
        "\"%[-+# 0]{0,2}[0-9]{0,2}(\\.[0-9])?[vdsqxXTtobOcUeEfFgGpw]\"",
    ];
    let name = prop::sample::select(
        crate::template::function::FUNCTIONS
            .iter()
            .map(|function| function.name)
            .collect::<Vec<_>>(),
    );
    let call = (name, prop::collection::vec(value.clone(), 0..4))
        .prop_map(|(name, words)| format!("{name} {}", words.join(" ")));
    let pipeline = prop::collection::vec(prop_oneof![value, call], 1..3)
        .prop_map(|commands| commands.join(" | "));
    let leaf = prop_oneof![
        "[a-z \n}é]{0,5}",
        pipeline.clone().prop_map(|pipeline| format!("{{{{- {pipeline} }}}}"))
    ];
    let nested = leaf.prop_recursive(3, 12, 3, move |inner| {
        let body = prop::collection::vec(inner, 0..3).prop_map(|parts| parts.concat());
        (
            prop::sample::select(vec!["if", "with", "range", "range $i, $v :=", "block \"t\""]),
            pipeline.clone(),
            body.clone(),
            body,
        )
            .prop_map(|(keyword, pipeline, body, other)| {
                let middle = if keyword.starts_with("block") { "" } else { "{{ else }}" };
                format!("{{{{ {keyword} {pipeline} }}}}{body}{middle}{other}{{{{ end -}}}}")
            })
    });
    prop::collection::vec(nested, 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn text_without_braces_is_printed_unchanged(text in "[^{]{0,200}(\\{[^{]{1,20}){0,3}") {
        prop_assert_eq!(attempt(&text, &json!({})), Ok(text));
    }

    #[test]
    fn rendering_ends_and_spans_are_in_the_text(template in template(), input in input()) {
        let limits = Limits { output: 100_000, memory: 1 << 20, steps: 100_000, cancelled: &|| false };
        match render(&parse(&template, &[]), &template, &input, &limits) {
            Ok(rendered) => {
                prop_assert!(rendered.text.len() <= limits.output);
                prop_assert!(rendered.missing.iter().all(|span| template.get(span.clone()).is_some_and(|text| !text.is_empty())));
                prop_assert_eq!(&render(&parse(&template, &[]), &template, &input, &limits).unwrap(), &rendered);
            }
            Err(error) => {
                prop_assert!(template.get(error.span.clone()).is_some(), "{error:?}");
                prop_assert!(!error.message.is_empty() && !error.message.contains('\n'));
            }
        }
    }

    #[test]
    fn any_text_at_all_is_rendered_or_refused(text in "(\\{\\{|\\}\\}|-|if|end|range|\\.a|\\$x|:=|\\||\\(|\\)|\"|`|[ -~é\n]){0,30}", input in input()) {
        let limits = Limits { output: 100_000, memory: 1 << 20, steps: 100_000, cancelled: &|| false };
        if let Err(error) = render(&parse(&text, &[]), &text, &input, &limits) {
            prop_assert!(text.get(error.span.clone()).is_some(), "{error:?}");
        }
    }

    #[test]
    fn mdl_17_a_text_value_is_printed_unchanged(text in "\\PC{0,40}") {
        prop_assert_eq!(attempt("{{ .x }}{{ printf \"%s\" .x }}", &json!({ "x": text })), Ok(text.repeat(2)));
    }
}
