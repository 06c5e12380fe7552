//! The closed list of reasons, and the ways a call can end.

use serde::{Deserialize, Serialize};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It was done, whatever came out of it.
    Ok,
    /// It was tried and could not be done.
    Error,
    /// It was not tried, since it was not a sound call.
    Invalid,
    /// It was not tried, since it is not allowed.
    Denied,
    /// Somebody ended it.
    Cancelled,
    /// Its time was out.
    Timeout,
    /// Whatever it needs is taken.
    Busy,
    /// It did not reach whoever was to do it.
    Lost,
    /// It may have happened or not. It is never retried on its own.
    Unknown,
}

impl Status {
    /// The name that programs read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Invalid => "invalid",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Timeout => "timeout",
            Self::Busy => "busy",
            Self::Lost => "lost",
            Self::Unknown => "unknown",
        }
    }
}

macro_rules! codes {
    ($($variant:ident $name:literal $status:ident $doc:literal;)*) => {
        /// Why a call did not end well. Programs branch on this and never on a message.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Code { $(#[doc = $doc] $variant,)* }

        impl Code {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name that programs read.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The one status that goes with the code.
            #[must_use]
            pub fn status(self) -> Status {
                match self { $(Self::$variant => Status::$status,)* }
            }
        }
    };
}

codes! {
    NoMatch "no_match" Error "The text to be changed is not there.";
    Ambiguous "ambiguous" Error "The text to be changed is there more than once.";
    NoChange "no_change" Error "The change changes nothing.";
    Invalid "invalid" Invalid "The arguments are not what the tool takes.";
    Parse "parse" Invalid "The arguments cannot be read.";
    Truncated "truncated" Invalid "The arguments were cut off on the way.";
    Stale "stale" Error "The content has changed since it was seen.";
    Unread "unread" Error "The content has not been seen.";
    Redacted "redacted" Error "The text holds a mark that stands for a secret.";
    Binary "binary" Error "The content is not text.";
    Unsupported "unsupported" Error "The content is of a kind that cannot be worked with.";
    TooLarge "too_large" Error "The content is too large.";
    Exists "exists" Error "Something is there already.";
    Outside "outside" Denied "The path lies outside the workspace, and nobody could be asked.";
    Denied "denied" Denied "It is not allowed.";
    NotAFile "not_a_file" Error "The path names something else than a file.";
    NotAFolder "not_a_folder" Error "The path names something else than a folder.";
    NotFound "not_found" Error "Nothing is there.";
    Permission "permission" Error "The system does not permit it.";
    Io "io" Error "The system reported a failure.";
    Gone "gone" Error "What it refers to is no longer there.";
    Unreachable "unreachable" Error "The other side cannot be reached.";
    Blocked "blocked" Denied "The address is not to be reached.";
    Dirty "dirty" Error "There are changes that would be lost.";
    Timeout "timeout" Timeout "The time was out.";
    Cancelled "cancelled" Cancelled "Somebody ended it.";
    Busy "busy" Busy "Whatever it needs is taken.";
    Lost "lost" Lost "It did not reach whoever was to do it.";
    Unknown "unknown" Unknown "It may have happened or not.";
    UnknownTool "unknown_tool" Invalid "No tool of this name is offered.";
    Internal "internal" Error "The tool itself failed.";
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn names_are_what_serde_writes() {
        for code in Code::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
            assert_eq!(
                serde_json::to_value(code.status()).unwrap(),
                code.status().name()
            );
        }
    }
}
