use super::super::RuleContext;
use crate::declare_rule;
use crate::format::markdownlang::body::Unit;
use crate::rule::Report;
use crate::template::check::{Problem, ProblemKind};
use crate::template::function::Kinds;

declare_rule! {
    /// A function gets a value of a type that it doesn't accept.
    ///
    /// Rendering fails there: `upper` of a list, `len` of a number, `slice` with a string as the
    /// index. If the schema allows several types, it only fails for some inputs.
    ///
    /// ````markdown bad
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { names: { type: array, items: { type: string } } }, required: [names] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ upper .names }}.
    /// ````
    ///
    /// ````markdown good
    /// ---
    /// name: greet
    /// description: Greets a person
    /// input: { type: object, properties: { names: { type: array, items: { type: string } } }, required: [names] }
    /// output: { type: object, properties: { text: { type: string } }, required: [text] }
    /// ---
    ///
    /// Greet {{ upper (join .names ", ") }}.
    /// ````
    pub static RULE = "markdownlang/wrong-argument", Warning, "Argument of the wrong type";
}

pub fn check(_: &RuleContext, unit: &Unit, problem: &Problem, report: &mut Report) {
    let ProblemKind::WrongArgument { function, parameter, accepts, given, certain } = &problem.kind
    else {
        return;
    };
    let message = match (*function, certain) {
        ("call", _) => {
            "the input is JSON, which has no functions, so `call` cannot work".to_owned()
        }
        (_, true) => format!(
            "`{function}` takes {} as `{parameter}`, but this is {}",
            accepts.words(),
            given.words()
        ),
        (_, false) if *given == Kinds::NULL => {
            format!(
                "`{function}` takes {} as `{parameter}`, but this may be null; guard it with `if`",
                accepts.words()
            )
        }
        (_, false) => format!(
            "`{function}` takes {} as `{parameter}`, but this may be {}",
            accepts.words(),
            given.words()
        ),
    };
    report.add(&RULE, unit.absolute(&problem.span), message);
}
