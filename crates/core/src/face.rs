//! A tool as one model family sees it.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Code, Failure, Present, Tool, ToolError, Words, schema_of};

/// A model family's set of faces, by name: `claude`, `codex`, `plain` …
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dialect(pub &'static str);

impl Dialect {
    /// The dialect of canonical ids and arguments. Every tool has it.
    pub const PLAIN: Self = Self("plain");
}

/// What is fixed about a face.
#[derive(Debug, Clone, Copy)]
pub struct FaceAbout {
    /// The family.
    pub dialect: Dialect,
    /// The tool's name in it.
    pub name: &'static str,
    /// Whether it belongs to the family's default list.
    pub offered: Offered,
    /// Older names in the family under which it is still served.
    pub also: &'static [&'static str],
    /// Other spellings of its parameters, as (other, own).
    pub spellings: &'static [(&'static str, &'static str)],
    /// Required parameters whose words are for people only: their absence is no reason to refuse.
    pub courtesy: &'static [&'static str],
    /// What a model reads, where the tool's own card does not do.
    pub card: Option<&'static str>,
}

impl FaceAbout {
    /// A face with nothing out of the ordinary, in the default list.
    #[must_use]
    pub const fn new(dialect: Dialect, name: &'static str) -> Self {
        Self {
            dialect,
            name,
            offered: Offered::ByDefault,
            also: &[],
            spellings: &[],
            courtesy: &[],
            card: None,
        }
    }
}

/// Whether a face belongs to its family's default list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// It does.
    ByDefault,
    /// It is there when it is named.
    OnRequest,
}

/// A face of the tool `T`: names, shape and words, never a safety rule.
pub trait Face<T: Tool>: Send + Sync + 'static {
    /// The arguments in the family's shape.
    type Args: DeserializeOwned + JsonSchema + Send;

    /// What is fixed about it.
    const ABOUT: FaceAbout;

    /// Turns the family's arguments into the tool's, with the family's bases and units.
    ///
    /// # Errors
    /// `invalid` where a value is out of the family's own range.
    fn input(args: Self::Args) -> Result<T::Input, ToolError>;

    /// What the model reads of an output.
    fn words(output: &T::Output) -> Words {
        output.words()
    }

    /// What the model reads of a failure.
    fn failure(failure: &Failure) -> String {
        failure.words()
    }

    /// How the family writes the arguments.
    fn shape() -> Shape {
        Shape::Function(schema_of::<Self::Args>())
    }
}

/// How a family writes a tool's arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// As JSON by this schema.
    Function(Value),
    /// As bare text by a grammar; where a wire has no such thing, as JSON.
    Free {
        /// The grammar of the text.
        grammar: Grammar,
        /// The parameter that holds the text in the JSON form.
        field: &'static str,
        /// The schema of the JSON form.
        fallback: Value,
    },
}

impl Shape {
    /// The schema of the JSON form.
    #[must_use]
    pub fn schema(&self) -> &Value {
        match self {
            Self::Function(schema)
            | Self::Free {
                fallback: schema, ..
            } => schema,
        }
    }
}

/// The grammar of a free-form tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grammar {
    /// `lark` or `regex`.
    pub syntax: &'static str,
    /// The grammar itself.
    pub definition: &'static str,
}

/// A face as a toolset sees it: what goes into a list, and what resolving and decoding need.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The family.
    pub dialect: Dialect,
    /// The tool's name in it.
    pub name: Cow<'static, str>,
    /// What a model reads about it.
    pub card: Cow<'static, str>,
    /// Whether it belongs to the family's default list.
    pub offered: Offered,
    /// Older names.
    pub also: Vec<Cow<'static, str>>,
    /// Other spellings of its parameters, as (other, own).
    pub spellings: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// Parameters whose absence is no reason to refuse.
    pub courtesy: &'static [&'static str],
    /// How the arguments are written.
    pub shape: ShapeSource,
}

/// A shape, made when it is needed or given.
#[derive(Debug, Clone)]
pub enum ShapeSource {
    /// Made from types.
    Made(fn() -> Shape),
    /// Given from outside.
    Given(Shape),
}

impl Offer {
    /// How the arguments are written.
    #[must_use]
    pub fn shape(&self) -> Shape {
        match &self.shape {
            ShapeSource::Made(make) => make(),
            ShapeSource::Given(shape) => shape.clone(),
        }
    }

    /// Whether the face answers to a name: its own, or an older one.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.also.iter().any(|other| other == name)
    }
}

/// A face of `T` without its own type.
pub trait FaceOf<T: Tool>: Send + Sync {
    /// What a toolset needs to know.
    fn offer(&self) -> Offer;

    /// Turns arguments in the family's shape into the tool's.
    ///
    /// # Errors
    /// `invalid` when the value is not of the shape.
    fn input(&self, args: Value) -> Result<T::Input, ToolError>;

    /// What the model reads of an output.
    fn words(&self, output: &T::Output) -> Words;

    /// What the model reads of a failure.
    fn failure(&self, failure: &Failure) -> String;
}

/// The faces of a tool. The plain one is always there, and first.
pub struct Faces<T: Tool>(Vec<Box<dyn FaceOf<T>>>);

impl<T: Tool> Default for Faces<T> {
    fn default() -> Self {
        Self(vec![Box::new(Plain)])
    }
}

impl<T: Tool> Faces<T> {
    /// The plain face alone.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a family's face.
    #[must_use]
    pub fn and<F: Face<T>>(mut self) -> Self {
        self.0.push(Box::new(Typed::<F>(std::marker::PhantomData)));
        self
    }

    /// The faces as toolsets see them, in order.
    #[must_use]
    pub fn offers(&self) -> Vec<Offer> {
        self.0.iter().map(|face| face.offer()).collect()
    }

    /// Takes one face out, by its place in `offers`.
    #[must_use]
    pub fn take(mut self, index: usize) -> Option<Box<dyn FaceOf<T>>> {
        (index < self.0.len()).then(|| self.0.swap_remove(index))
    }
}

/// The canonical face: the tool's own input, its own words.
struct Plain;

impl<T: Tool> FaceOf<T> for Plain {
    fn offer(&self) -> Offer {
        let about = T::ABOUT;
        Offer {
            dialect: Dialect::PLAIN,
            name: Cow::Borrowed(about.id),
            card: Cow::Borrowed(about.card),
            offered: Offered::ByDefault,
            also: about
                .aliases
                .iter()
                .map(|name| Cow::Borrowed(*name))
                .collect(),
            spellings: borrowed(about.spellings),
            courtesy: &[],
            shape: ShapeSource::Made(|| Shape::Function(schema_of::<T::Input>())),
        }
    }

    fn input(&self, args: Value) -> Result<T::Input, ToolError> {
        read(args)
    }

    fn words(&self, output: &T::Output) -> Words {
        output.words()
    }

    fn failure(&self, failure: &Failure) -> String {
        failure.words()
    }
}

struct Typed<F>(std::marker::PhantomData<F>);

impl<T: Tool, F: Face<T>> FaceOf<T> for Typed<F> {
    fn offer(&self) -> Offer {
        let about = F::ABOUT;
        Offer {
            dialect: about.dialect,
            name: Cow::Borrowed(about.name),
            card: Cow::Borrowed(about.card.unwrap_or(T::ABOUT.card)),
            offered: about.offered,
            also: about.also.iter().map(|name| Cow::Borrowed(*name)).collect(),
            spellings: borrowed(about.spellings),
            courtesy: about.courtesy,
            shape: ShapeSource::Made(F::shape),
        }
    }

    fn input(&self, args: Value) -> Result<T::Input, ToolError> {
        F::input(read(args)?)
    }

    fn words(&self, output: &T::Output) -> Words {
        F::words(output)
    }

    fn failure(&self, failure: &Failure) -> String {
        F::failure(failure)
    }
}

fn borrowed(
    pairs: &'static [(&'static str, &'static str)],
) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
    pairs
        .iter()
        .map(|(other, own)| (Cow::Borrowed(*other), Cow::Borrowed(*own)))
        .collect()
}

fn read<A: DeserializeOwned>(args: Value) -> Result<A, ToolError> {
    serde_json::from_value(args).map_err(|err| {
        ToolError::new(Code::Invalid, format!("The arguments do not fit: {err}."))
            .hint("Send the call again with arguments as the schema says.")
    })
}
