//! The analysis of a program's whole body: every unit checked with the declarations, definitions
//! and calls of the others.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use rustc_hash::FxHashSet;

use super::body::{Body, Unit};
use crate::steps::Steps;
use crate::template::check::{
    self, Checked, Environment, Origin, Scope, TemplateCall, Use, Variable, check_unless,
};
use crate::template::types::{Type, Types};

/// One per unit of the body, in order.
#[derive(Debug, Clone, Default)]
pub struct CheckedBody {
    pub units: Vec<CheckedUnit>,
    /// The type of `.` in the definitions that are called.
    called: BTreeMap<String, Type>,
}

/// The analysis of a unit, and its dependencies on the others.
#[derive(Debug, Clone)]
pub struct CheckedUnit {
    pub environment: Arc<Environment>,
    pub checked: Arc<Checked>,
}

/// Definitions that call each other are followed for this many rounds; a type that is still unclear
/// becomes "anything".
const MOST_ROUNDS: usize = 10;
/// This many answers are cached per unit: one for each round.
const MOST_KEPT: usize = MOST_ROUNDS + 2;

/// The answers about a unit for one schema.
type Kept = Mutex<Vec<(Arc<Environment>, Arc<Checked>)>>;

impl CheckedBody {
    pub(super) const NOTHING: Self = Self { units: Vec::new(), called: BTreeMap::new() };

    /// Checks a body, reusing the results of units that haven't changed. Returns `None` if
    /// cancelled.
    pub fn new(body: &Body, types: &Types, cancelled: &dyn Fn() -> bool) -> Option<Self> {
        let mut definitions: BTreeMap<String, Type> = BTreeMap::new();
        for round in 0.. {
            let checked = Self::round(body, types, &definitions, cancelled)?;
            let mut called = checked.find_called(body, &definitions);
            if called == definitions || round > MOST_ROUNDS {
                return Some(checked);
            }
            if round == MOST_ROUNDS {
                called
                    .iter_mut()
                    .filter(|(name, kind)| definitions.get(*name) != Some(*kind))
                    .for_each(|(_, kind)| *kind = Type::any());
            }
            definitions = called;
        }
        None
    }

    fn round(
        body: &Body,
        types: &Types,
        definitions: &BTreeMap<String, Type>,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut steps = Steps::new(cancelled);
        let mut variables = Arc::default();
        let mut units = Vec::with_capacity(body.units.len());
        for unit in &body.units {
            steps.take(1)?;
            let own = unit
                .names
                .definitions
                .iter()
                .filter_map(|own| definitions.get_key_value(&own.name.value))
                .map(|(name, kind)| (name.clone(), kind.clone()));
            let environment = Environment { variables, definitions: own.collect() };
            let unit = checked(unit, types, environment, cancelled)?;
            variables = Arc::clone(&unit.checked.outer);
            units.push(unit);
        }
        Some(Self { units, called: definitions.clone() })
    }

    /// The type that each definition is called with, as far as known.
    fn find_called(&self, body: &Body, reached: &BTreeMap<String, Type>) -> BTreeMap<String, Type> {
        let mut called: BTreeMap<String, Type> = BTreeMap::new();
        if body.definitions().is_empty() {
            return called;
        }
        let is_reached = |call: &TemplateCall| {
            call.within.as_ref().is_none_or(|within| reached.contains_key(within))
        };
        for (_, call) in self
            .calls()
            .filter(|(_, call)| is_reached(call) && body.definition(&call.name).is_some())
        {
            match called.get_mut(&call.name) {
                Some(known) => *known = known.or(&call.argument),
                None => _ = called.insert(call.name.clone(), call.argument.clone()),
            }
        }
        called
    }

    /// Every call of a template, with the index of its unit.
    pub fn calls(&self) -> impl Iterator<Item = (usize, &TemplateCall)> {
        self.units
            .iter()
            .enumerate()
            .flat_map(|(index, unit)| unit.checked.calls.iter().map(move |call| (index, call)))
    }

    /// Every field name, with the index of its unit.
    pub fn uses(&self) -> impl Iterator<Item = (usize, &Use)> {
        self.units
            .iter()
            .enumerate()
            .flat_map(|(index, unit)| unit.checked.uses.iter().map(move |used| (index, used)))
    }

    /// Which declarations of the input are read, by number. `None` if any of them might be.
    pub fn used_declarations(&self, body: &Body) -> Option<Vec<bool>> {
        let uncalled =
            body.definitions().iter().any(|definition| !self.called.contains_key(&definition.name));
        if uncalled
            || body.errors().next().is_some()
            || self.units.iter().any(|unit| unit.checked.uses_everything)
        {
            return None;
        }
        let mut used: Vec<bool> = Vec::new();
        for declarations in self.units.iter().map(|unit| &unit.checked.declarations) {
            let count = declarations.last().map_or(0, |last| *last as usize + 1);
            used.resize(used.len().max(count), false);
            for declaration in declarations {
                used.get_mut(*declaration as usize).into_iter().for_each(|used| *used = true);
            }
        }
        Some(used)
    }

    /// The variables that are declared and never read, with the indices of their units.
    pub fn unused_variables(&self) -> Vec<(usize, &Variable)> {
        let mut unused = Vec::new();
        let mut wanted: FxHashSet<&str> = FxHashSet::default();
        for (index, unit) in self.units.iter().enumerate().rev() {
            let variables = &unit.checked.variables;
            for variable in variables.iter().rev() {
                if let Origin::Declared(_) = variable.origin {
                    let wanted = !variable.local && wanted.remove(variable.name.as_str());
                    if variable.uses.is_empty() && !wanted && !variable.name.starts_with("$_") {
                        unused.push((index, variable));
                    }
                }
            }
            wanted.extend(
                variables
                    .iter()
                    .filter(|variable| variable.origin == Origin::Outer)
                    .map(|variable| variable.name.as_str()),
            );
        }
        unused.reverse();
        unused
    }
}

impl CheckedUnit {
    /// The names in scope at a location in the unit.
    pub fn scope_at(&self, unit: &Unit, types: &Types, offset: usize) -> Scope {
        check::scope_at(&unit.template, types, &self.environment, offset)
    }
}

/// An analysis of a unit with these types, after these variables and without definitions.
#[derive(Debug)]
pub struct Analysed {
    types: Types,
    unit: CheckedUnit,
}

impl Analysed {
    fn is_for(&self, types: &Types, environment: &Environment) -> bool {
        let (old, new) = (&self.unit.environment.variables, &environment.variables);
        self.types == *types
            && environment.definitions.is_empty()
            && (Arc::ptr_eq(old, new) || old.is_empty() && new.is_empty())
    }
}

fn checked(
    unit: &Unit,
    types: &Types,
    environment: Environment,
    cancelled: &dyn Fn() -> bool,
) -> Option<CheckedUnit> {
    if let Some(known) = unit.analysed.get().filter(|known| known.is_for(types, &environment)) {
        return Some(known.unit.clone());
    }
    let kept = unit.memo.get(types.clone(), Kept::default);
    let lock = || kept.lock();
    if let Some((environment, checked)) = lock().iter().find(|(known, _)| **known == environment) {
        return Some(CheckedUnit {
            environment: Arc::clone(environment),
            checked: Arc::clone(checked),
        });
    }
    let environment = Arc::new(environment);
    let checked = Arc::new(check_unless(&unit.template, types, &environment, cancelled)?);
    let mut kept = lock();
    if kept.len() >= MOST_KEPT {
        kept.remove(0);
    }
    kept.push((Arc::clone(&environment), Arc::clone(&checked)));
    let found = CheckedUnit { environment, checked };
    if found.environment.definitions.is_empty() {
        let _ = unit.analysed.set(Analysed { types: types.clone(), unit: found.clone() });
    }
    Some(found)
}
