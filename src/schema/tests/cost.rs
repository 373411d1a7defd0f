//! The cost of validating a value, in steps.

use std::cell::Cell;

use serde_json::{Value, json};

use super::super::cost::{Budget, Cost};
use super::super::reference::References;
use super::super::{
    LintKind, SchemaErrorKind, ValueError, analyse, check_schema, compile, lint_schema,
};
use crate::growth;

/// Whether this many steps are enough.
fn suffices(schema: &Value, value: &Value, steps: u64) -> bool {
    let mut budget = Budget::of_steps(steps);
    Cost::new(&References::new(schema), schema).spend("", value, &mut budget)
}

/// Definitions in levels; each refers to the next one from several branches.
fn levels(container: &str, depth: usize, branches: usize) -> Value {
    let level = |number: usize| json!({ "anyOf": vec![json!({ "$ref": format!("#/{container}/l{}", number + 1) }); branches] });
    let mut named: serde_json::Map<String, Value> =
        (0..depth).map(|number| (format!("l{number}"), level(number))).collect();
    named.insert(format!("l{depth}"), json!({ "type": "string" }));
    json!({ "$ref": format!("#/{container}/l0"), container: named })
}

#[test]
fn the_cost_of_a_value_is_counted_before_validation() {
    assert!(
        suffices(&json!({ "type": "string" }), &json!("x"), 1)
            && !suffices(&json!({ "type": "string" }), &json!("x"), 0)
    );
    // Two branches, four levels: each branch is a reference and its target.
    let schema = levels("$defs", 4, 2);
    let exact = (1..10_000).find(|steps| suffices(&schema, &json!(1), *steps)).unwrap();
    assert_eq!(exact, 2 + (1..=4).map(|level| 2 * 2u64.pow(level)).sum::<u64>());
    for container in ["$defs", "x-defs"] {
        let bomb = levels(container, 16, 3);
        assert!(!suffices(&bomb, &json!(1), 2_000_000));
        let compiled = compile(&bomb).unwrap();
        assert!(!compiled.allows(&json!("x")));
        assert_eq!(
            compiled.errors(&json!(1)).iter().map(|error| error.kind.as_str()).collect::<Vec<_>>(),
            ["complexity"]
        );
    }
    // Linear in the value, and generous.
    let list = json!({ "type": "array", "items": { "type": "object", "properties": { "a": { "type": "integer" } } } });
    assert!(compile(&list).unwrap().allows(&json!(vec![json!({ "a": 1 }); 100_000])));
}

#[test]
fn every_default_of_a_schema_shares_one_budget() {
    let mut schema = levels("$defs", 8, 2);
    let costly = json!({ "$ref": "#/$defs/l0", "default": 1 });
    let some = |count: usize| {
        (0..count)
            .map(|number| (format!("p{number}"), costly.clone()))
            .collect::<serde_json::Map<_, _>>()
    };
    let too_complex = |schema: &Value| {
        lint_schema(schema).iter().filter(|lint| lint.kind == LintKind::TooComplex).count()
    };
    schema["properties"] = Value::Object(some(3));
    assert_eq!(too_complex(&schema), 0);
    schema["properties"] = Value::Object(some(400));
    assert_eq!(too_complex(&schema), 1);
}

#[test]
fn schemas_with_too_many_patterns_or_references_are_not_compiled() {
    let kinds = |schema: &Value| {
        check_schema(schema).into_iter().map(|error| error.kind).collect::<Vec<_>>()
    };
    let of = |count: usize, property: Value| json!({ "type": "object", "properties": (0..count).map(|number| (format!("p{number}"), property.clone())).collect::<serde_json::Map<_, _>>() });
    assert_eq!(kinds(&of(200, json!({ "type": "string", "pattern": "x" }))), []);
    assert_eq!(
        kinds(&of(201, json!({ "type": "string", "pattern": "x" }))),
        [SchemaErrorKind::TooComplex]
    );
    assert_eq!(kinds(&of(1000, json!({ "$ref": "#" }))), []);
    assert_eq!(kinds(&of(1001, json!({ "$ref": "#" }))), [SchemaErrorKind::TooComplex]);
}

#[test]
fn a_schema_with_too_many_subschemas_is_not_compiled() {
    let of = |count: usize| {
        let property = |number: usize| (format!("p{number}"), json!({ "type": "string" }));
        let properties: serde_json::Map<_, _> = (0..count).map(property).collect();
        json!({ "type": "object", "properties": properties })
    };
    let kinds =
        |schema: &Value| check_schema(schema).iter().map(|error| error.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&of(49_999)), []);
    assert_eq!(kinds(&of(50_000)), [SchemaErrorKind::TooComplex]);
    assert!(compile(&of(50_000)).is_err());
    growth::is_linear("building a validator", 40_000, of, |schema| {
        assert!(compile(&schema).is_ok());
    });
}

#[test]
fn no_validator_is_built_for_a_cancelled_analysis() {
    // Without the cost of building, fewer steps than between two checks for cancellation.
    let property = |number: usize| (format!("p{number}"), json!(true));
    let schema = json!({ "type": "object", "properties": (0..110).map(property).collect::<serde_json::Map<_, _>>() });
    let asked = Cell::new(0);
    let cancelled = || {
        asked.set(asked.get() + 1);
        true
    };
    assert!(analyse(&schema, &cancelled).is_none());
    assert_eq!(asked.get(), 1);
}

#[test]
fn names_are_checked_within_the_budget_of_an_analysis() {
    let bomb = compile(&levels("$defs", 11, 2)).unwrap();
    assert!(!suffices(&levels("$defs", 11, 2), &json!(1), 4_000));
    assert!(!bomb.may_allow(&json!(1)) && bomb.may_allow(&json!("x")));
    // More than the budget of an analysis, and less than that of a value.
    let bomb = compile(&levels("$defs", 17, 2)).unwrap();
    assert!(bomb.may_allow(&json!(1)) && !bomb.allows(&json!(1)));
}

#[test]
fn values_in_documents_are_checked_within_the_budget_of_an_analysis() {
    let messages =
        |errors: Vec<ValueError>| errors.into_iter().map(|error| error.message).collect::<Vec<_>>();
    let refused = ["the schema is too complex to check this value"];
    let judged = ["the value doesn't match the schema, which is too complex for details"];
    // More than the budget of an analysis, and less than that of a value.
    let bomb = compile(&levels("$defs", 17, 2)).unwrap();
    assert!(!suffices(&levels("$defs", 17, 2), &json!(1), 200_000));
    assert_eq!(messages(bomb.errors_in_document(&json!(1))), refused);
    assert_eq!(messages(bomb.errors(&json!(1))), judged);
    // Within both budgets, the errors are the same, with details.
    let small = compile(&levels("$defs", 4, 2)).unwrap();
    let details = messages(small.errors_in_document(&json!(1)));
    assert!(details == messages(small.errors(&json!(1))) && details.len() == 1, "{details:?}");
    assert!(details != refused && details != judged, "{details:?}");
    assert!(small.errors_in_document(&json!("x")).is_empty());
}

#[test]
fn a_cancelled_analysis_stops_promptly() {
    let property =
        |number: usize| (format!("p{number}"), json!({ "type": "strng", "description": "x" }));
    let wide = json!({ "type": "object", "properties": (0..4_000).map(property).collect::<serde_json::Map<_, _>>() });
    let mut costly = levels("$defs", 16, 3);
    costly["default"] = json!(1);
    for schema in [wide, costly] {
        // Cancels at the given check; returns whether the analysis finished, and the number of
        // checks.
        let analysed = |last: usize| {
            let asked = Cell::new(0);
            let cancelled = || {
                asked.set(asked.get() + 1);
                asked.get() >= last
            };
            (analyse(&schema, &cancelled).is_some(), asked.get())
        };
        let (finished, questions) = analysed(usize::MAX);
        assert!(finished && questions > 10, "{questions}");
        for last in [1, 2, questions / 2, questions] {
            assert_eq!(analysed(last), (false, last));
        }
    }
}
