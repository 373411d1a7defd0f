//! The analysis of a program's whole body: every unit checked with the declarations, definitions
//! and calls of the others.

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::body::{Body, Memo, PlacedGroup, Unit};
use crate::steps::Steps;
use crate::template::check::{
    self, Checked, Environment, Origin, Problem, ProblemKind, Scope, TemplateCall, Variable,
    Wanted, check_unless,
};
use crate::template::types::{Type, Types};

/// One per group of the body, in order.
#[derive(Debug, Clone, Default)]
pub struct CheckedBody {
    groups: Vec<Arc<CheckedGroup>>,
    /// The type of `.` in the definitions that are called.
    called: BTreeMap<String, Type>,
    /// The uses of undeclared fields, by the schema that lacks them and their names; collected on
    /// demand.
    wanted: OnceLock<FxHashMap<(String, String), Wanted>>,
    /// Changes whenever that does.
    wanted_id: u64,
}

/// The analysis of a group of units, and its summary for the analysis of the body.
#[derive(Debug)]
pub struct CheckedGroup {
    /// One per unit, in order.
    pub units: Vec<CheckedUnit>,
    types: Types,
    /// The variables before it, and those after it.
    variables: Variables,
    outer: Variables,
    /// Some unit declares variables or uses those of others.
    has_variables: bool,
    pub has_problems: bool,
    /// It uses undeclared fields.
    has_unknown: bool,
    /// A hash of the uses of these; 0 if any value will do.
    wants: u64,
    uses_everything: bool,
    /// Which declarations of the input are read, by number.
    used: Vec<bool>,
    /// Cached answers about it.
    pub memo: Memo,
}

type Variables = Arc<[(String, Type)]>;

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
    pub(super) const fn nothing() -> Self {
        Self { groups: Vec::new(), called: BTreeMap::new(), wanted: OnceLock::new(), wanted_id: 0 }
    }

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
        let mut groups = Vec::with_capacity(body.groups().len());
        for group in body.groups() {
            steps.take(1)?;
            let known = group.analysed.lock().clone();
            let known = known.filter(|known| known.types == *types);
            let fits = |known: &Arc<CheckedGroup>| {
                !group.has_definitions && same(&known.variables, &variables)
            };
            let checked = match known {
                Some(known) if fits(&known) => known,
                known => {
                    let new = CheckedGroup::new(
                        group,
                        types,
                        variables,
                        definitions,
                        known,
                        cancelled,
                        &mut steps,
                    )?;
                    *group.analysed.lock() = Some(Arc::clone(&new));
                    new
                }
            };
            variables = Arc::clone(&checked.outer);
            groups.push(checked);
        }
        let wanted_id = groups.iter().fold(0, |id: u64, group| id.wrapping_add(group.wants));
        Some(Self { groups, called: definitions.clone(), wanted: OnceLock::new(), wanted_id })
    }

    /// The dependencies of findings about undeclared fields, apart from their unit.
    pub fn wanted_id(&self, group: &CheckedGroup) -> u64 {
        if group.has_unknown { self.wanted_id } else { 0 }
    }

    /// The uses of an undeclared field in the whole body; `None` if any value will do.
    pub fn wanted(&self, types: &Types, pointer: &str, name: &str) -> Option<&Wanted> {
        let wanted = self.wanted.get_or_init(|| {
            let mut all: FxHashMap<(String, String), Wanted> = FxHashMap::default();
            let groups = self.groups.iter().filter(|group| group.wants != 0);
            for (name, of, wanted) in groups.flat_map(|group| wants(&group.units)) {
                if let Some(pointer) = types.objects(of).into_iter().next() {
                    all.entry((pointer, name.to_owned())).or_default().add(wanted);
                }
            }
            all
        });
        wanted.get(&(pointer.to_owned(), name.to_owned()))
    }

    /// The groups of the body with their analyses.
    pub fn of<'a>(
        &'a self,
        body: &'a Body,
    ) -> impl Iterator<Item = (&'a PlacedGroup, &'a CheckedGroup)> {
        body.groups().iter().zip(self.groups.iter().map(|group| &**group))
    }

    /// The analysis of a unit, by the index of its group and its index there.
    pub fn unit(&self, (group, index): (usize, usize)) -> Option<&CheckedUnit> {
        self.groups.get(group)?.units.get(index)
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
        let is_meant =
            |call: &&TemplateCall| is_reached(call) && body.definition(&call.name).is_some();
        for call in self.calls().filter(is_meant) {
            match called.get_mut(&call.name) {
                Some(known) => *known = known.or(&call.argument),
                None => _ = called.insert(call.name.clone(), call.argument.clone()),
            }
        }
        called
    }

    /// Every call of a template.
    fn calls(&self) -> impl Iterator<Item = &TemplateCall> {
        let units = self.groups.iter().flat_map(|group| &group.units);
        units.flat_map(|unit| &unit.checked.calls)
    }

    /// Which declarations of the input are read, by number. `None` if any of them might be.
    pub fn used_declarations(&self, body: &Body) -> Option<Vec<bool>> {
        let uncalled =
            body.definitions().iter().any(|definition| !self.called.contains_key(&definition.name));
        if uncalled
            || body.errors().next().is_some()
            || self.groups.iter().any(|group| group.uses_everything)
        {
            return None;
        }
        let mut used: Vec<bool> = Vec::new();
        for own in self.groups.iter().map(|group| &group.used) {
            used.resize(used.len().max(own.len()), false);
            used.iter_mut().zip(own).for_each(|(used, own)| *used |= own);
        }
        Some(used)
    }

    /// The variables that are declared and never read, with their units.
    pub fn unused_variables<'a>(&'a self, body: &'a Body) -> Vec<(Unit, &'a Variable)> {
        let mut unused = Vec::new();
        let mut wanted: FxHashSet<&str> = FxHashSet::default();
        let groups: Vec<_> = self.of(body).filter(|(_, checked)| checked.has_variables).collect();
        for (group, checked) in groups.into_iter().rev() {
            for (index, unit) in checked.units.iter().enumerate().rev() {
                let variables = &unit.checked.variables;
                for variable in variables.iter().rev() {
                    if let Origin::Declared(_) | Origin::Element(_) = variable.origin {
                        let wanted = !variable.local && wanted.remove(variable.name.as_str());
                        if variable.uses.is_empty() && !wanted && !variable.name.starts_with("$_") {
                            unused.extend(group.unit(index).map(|unit| (unit, variable)));
                        }
                    }
                }
                let outer = variables.iter().filter(|variable| variable.origin == Origin::Outer);
                wanted.extend(outer.map(|variable| variable.name.as_str()));
            }
        }
        unused.reverse();
        unused
    }
}

impl CheckedGroup {
    /// Checks the units of a group. Returns `known`, the previous result, if nothing has changed.
    fn new(
        group: &PlacedGroup,
        types: &Types,
        variables: Variables,
        definitions: &BTreeMap<String, Type>,
        known: Option<Arc<Self>>,
        cancelled: &dyn Fn() -> bool,
        steps: &mut Steps,
    ) -> Option<Arc<Self>> {
        let mut outer = Arc::clone(&variables);
        let mut units = Vec::with_capacity(group.count());
        for unit in group.units() {
            steps.take(1)?;
            let own = unit.names.definitions.iter();
            let own = own
                .filter_map(|own| definitions.get_key_value(&own.name.value))
                .map(|(name, kind)| (name.clone(), kind.clone()));
            let environment = Environment { variables: outer, definitions: own.collect() };
            let unit = checked(&unit, types, environment, cancelled)?;
            outer = Arc::clone(&unit.checked.outer);
            units.push(unit);
        }
        if let Some(known) = known.filter(|known| known.has(&units)) {
            return Some(known);
        }
        let mut used: Vec<bool> = Vec::new();
        for declarations in units.iter().map(|unit| &unit.checked.declarations) {
            let count = declarations.last().map_or(0, |last| *last as usize + 1);
            used.resize(used.len().max(count), false);
            for declaration in declarations {
                used.get_mut(*declaration as usize).into_iter().for_each(|used| *used = true);
            }
        }
        let has = |check: &dyn Fn(&Checked) -> bool| units.iter().any(|unit| check(&unit.checked));
        Some(Arc::new(Self {
            types: types.clone(),
            variables,
            outer,
            has_variables: has(&|checked| {
                let mut variables = checked.variables.iter();
                variables.any(|variable| variable.origin != Origin::Root)
            }),
            has_problems: has(&|checked| !checked.problems.is_empty()),
            has_unknown: has(&|checked| checked.problems.iter().any(is_unknown)),
            wants: wants(&units)
                .map(|wanted| FxBuildHasher.hash_one(wanted))
                .fold(0, u64::wrapping_add),
            uses_everything: has(&|checked| checked.uses_everything),
            used,
            memo: Memo::default(),
            units,
        }))
    }

    /// Whether these are the analyses of its units.
    fn has(&self, units: &[CheckedUnit]) -> bool {
        let is_same = |(known, new): (&CheckedUnit, &CheckedUnit)| {
            Arc::ptr_eq(&known.environment, &new.environment)
                && Arc::ptr_eq(&known.checked, &new.checked)
        };
        self.units.len() == units.len() && self.units.iter().zip(units).all(is_same)
    }
}

fn is_unknown(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::UnknownField { .. })
}

/// The uses of undeclared fields in units: each name, the object that lacks it, and its uses.
fn wants(units: &[CheckedUnit]) -> impl Iterator<Item = (&str, &Type, &Wanted)> {
    let mut seen: FxHashSet<*const Wanted> = FxHashSet::default();
    let problems = units.iter().flat_map(|unit| &unit.checked.problems);
    problems.filter_map(move |problem| match &problem.kind {
        ProblemKind::UnknownField { name, of, wanted, .. } => {
            let is_new = !wanted.is_nothing() && seen.insert(Arc::as_ptr(wanted));
            is_new.then_some((name.as_str(), of, &**wanted))
        }
        _ => None,
    })
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
        self.types == *types
            && environment.definitions.is_empty()
            && same(&self.unit.environment.variables, &environment.variables)
    }
}

fn same(old: &Variables, new: &Variables) -> bool {
    Arc::ptr_eq(old, new) || old.is_empty() && new.is_empty()
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
