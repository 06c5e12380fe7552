//! What a tool says of itself, once.

/// Everything that is fixed about a tool. What policy, lanes, toolsets and documents need to know, they read here.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The capability's canonical id, for example `fs.read`.
    pub id: &'a str,
    /// What a model reads about the tool, as Markdown. A face may word it anew.
    pub card: &'a str,
    /// What sort of act it is; a person sees it as an icon or a colour.
    pub kind: Kind,
    /// What the tool promises about its behaviour, in MCP's terms.
    pub hints: Hints,
    /// How long a call may run when it does not say, in milliseconds. `None`: the runtime's default.
    pub timeout_ms: Option<u64>,
    /// How many characters of its text a model gets at the most.
    pub budget_chars: usize,
    /// Which end of a text that is too long matters.
    pub keep: Keep,
    /// Whether a model gets the schema at once.
    pub disclosure: Disclosure,
    /// The named sets that the tool belongs to.
    pub sets: &'a [Set],
    /// Older ids under which it is still found.
    pub aliases: &'a [&'a str],
    /// Other spellings of its parameters, as (other, own).
    pub spellings: &'a [(&'a str, &'a str)],
}

impl<'a> About<'a> {
    /// The least a tool has to say: an open-world tool that may do anything, offered on demand in no set.
    #[must_use]
    pub const fn new(id: &'a str, card: &'a str) -> Self {
        Self {
            id,
            card,
            kind: Kind::Other,
            hints: Hints::UNKNOWN,
            timeout_ms: None,
            budget_chars: 32_000,
            keep: Keep::Head,
            disclosure: Disclosure::Always,
            sets: &[],
            aliases: &[],
            spellings: &[],
        }
    }
}

/// What sort of act a tool is. The names are those of the Agent Client Protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Looks at content.
    Read,
    /// Changes content.
    Edit,
    /// Removes something.
    Delete,
    /// Renames something.
    Move,
    /// Looks for something.
    Search,
    /// Runs a program.
    Execute,
    /// Fetches from elsewhere.
    Fetch,
    /// None of these.
    Other,
}

impl Kind {
    /// The kind's name in lower case, as programs read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Search => "search",
            Self::Execute => "execute",
            Self::Fetch => "fetch",
            Self::Other => "other",
        }
    }
}

/// What a tool promises about its behaviour. The four hints are MCP's tool annotations; `true` is the careful value
/// for all but the first and the third.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// Changes nothing.
    pub read_only: bool,
    /// May destroy what was there.
    pub destructive: bool,
    /// The same call twice does no more than once.
    pub idempotent: bool,
    /// Reaches beyond this machine.
    pub open_world: bool,
}

impl Hints {
    /// Nothing is promised.
    pub const UNKNOWN: Self = Self {
        read_only: false,
        destructive: true,
        idempotent: false,
        open_world: true,
    };
    /// Only looks, on this machine.
    pub const LOOKS: Self = Self {
        read_only: true,
        destructive: false,
        idempotent: true,
        open_world: false,
    };
    /// Changes files on this machine.
    pub const CHANGES: Self = Self {
        read_only: false,
        destructive: true,
        idempotent: false,
        open_world: false,
    };
}

/// Which end of a text that is too long is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The beginning.
    Head,
    /// The end.
    Tail,
    /// Both, in equal parts.
    Both,
}

/// Whether a model gets a tool's schema at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disclosure {
    /// The schema goes out with every list.
    Always,
    /// Only the name goes out; the schema is found by searching.
    Deferred,
    /// Deferred when the list would take too large a share of the model's window.
    Auto,
}

/// A named selection of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Set {
    /// What a coding agent needs.
    Coding,
    /// What only looks.
    ReadOnly,
    /// What suits a conversation without a workspace.
    Chat,
}

impl Set {
    /// The set's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Coding => "coding",
            Self::ReadOnly => "read-only",
            Self::Chat => "chat",
        }
    }
}
