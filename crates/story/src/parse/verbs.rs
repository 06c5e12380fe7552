//! A block by itself: its words and what stands in it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use toolpost::{Config, Dialect, Mode};

use crate::fence::Fence;
use crate::story::{Args, Call, Ending, Given, Policy};
use crate::words;

/// What a block says.
pub(super) enum Verb {
    Given { path: String, given: Given },
    Policy(Policy),
    Call { call: Call, dialect: Dialect },
    Asks,
    Answer,
    Reply(Ending),
    State(Map<String, Value>),
    View,
    Then { path: String, content: Vec<u8> },
    Gone(String),
}

/// Reads a block.
pub(super) fn read(fence: &Fence) -> Result<Verb, String> {
    let all = words::words(&fence.info)?;
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let Some((verb, rest)) = all.split_first() else {
        return Err("The fence has no word that says what it is for.".to_owned());
    };
    let alone = |verb_read: Verb| match rest {
        [] => Ok(verb_read),
        _ => Err(format!("`{verb}` takes no further word.")),
    };
    match *verb {
        "given" => given(rest, &fence.body),
        "policy" => alone(Verb::Policy(policy(&fence.body)?)),
        "call" => call(rest, fence),
        "asks" => Ok(Verb::Asks),
        "answer" => Ok(Verb::Answer),
        "reply" => words::ending(rest).map(Verb::Reply),
        "state" => alone(Verb::State(object(&fence.body)?)),
        "view" => alone(Verb::View),
        "then" => then(rest, &fence.body),
        "gone" => gone(rest, &fence.body),
        _ => Err(format!("There is no block `{verb}`.")),
    }
}

fn given(words: &[&str], body: &str) -> Result<Verb, String> {
    let (path, given) =
        match words {
            ["empty", path] => (path, empty(body).map(|()| Given::File(Vec::new()))?),
            ["dir", path] => (path, empty(body).map(|()| Given::Folder)?),
            [path] => (path, Given::File(body.as_bytes().to_vec())),
            [path, "base64"] => (path, Given::File(bytes(body)?)),
            _ => return Err(
                "It is `given PATH`, `given PATH base64`, `given empty PATH` or `given dir PATH`."
                    .to_owned(),
            ),
        };
    let path = words::path(path)?;
    Ok(Verb::Given { path, given })
}

fn then(words: &[&str], body: &str) -> Result<Verb, String> {
    let (path, content) = match words {
        [path] => (path, body.as_bytes().to_vec()),
        [path, "base64"] => (path, bytes(body)?),
        _ => return Err("It is `then PATH` or `then PATH base64`.".to_owned()),
    };
    let path = words::path(path)?;
    Ok(Verb::Then { path, content })
}

fn gone(words: &[&str], body: &str) -> Result<Verb, String> {
    let [path] = words else {
        return Err("It is `gone PATH`.".to_owned());
    };
    empty(body)?;
    words::path(path).map(Verb::Gone)
}

fn call(words: &[&str], fence: &Fence) -> Result<Verb, String> {
    let (name, dialect, free) = match words {
        [name] => (name, Dialect::PLAIN, false),
        [name, "free"] => (name, Dialect::PLAIN, true),
        [name, "as", dialect] => (name, words::dialect(dialect)?, false),
        [name, "as", dialect, "free"] => (name, words::dialect(dialect)?, true),
        _ => return Err("It is `call NAME [as DIALECT] [free]`.".to_owned()),
    };
    let args = match serde_json::from_str(&fence.body) {
        _ if free => Args::Free(fence.body.clone()),
        Ok(map) => Args::Json(map),
        Err(_) => Args::Raw(fence.body.strip_suffix('\n').unwrap_or_default().to_owned()),
    };
    let call = Call {
        name: (*name).to_owned(),
        args,
        line: fence.line,
    };
    Ok(Verb::Call { call, dialect })
}

/// Reads lines `key = value`; a value may stand in quotes.
fn policy(body: &str) -> Result<Policy, String> {
    let mut policy = Policy::default();
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        let (key, value) = line
            .split_once('=')
            .ok_or_else(|| format!("`{line}` is not `key = value`."))?;
        let (key, value) = (key.trim(), value.trim().trim_matches('"'));
        match key {
            "mode" => {
                policy.mode =
                    Mode::named(value).ok_or_else(|| format!("There is no mode `{value}`."))?;
            }
            "prior_read" => policy.settings.push(setting("files.prior_read", value)?),
            _ => policy.settings.push(setting(key, value)?),
        }
    }
    Ok(policy)
}

fn setting(key: &str, value: &str) -> Result<String, String> {
    let flag = format!("{key}={value}");
    let tried = Config::default().add_flag(&flag);
    tried.map(|_| flag).map_err(|err| err.fact)
}

fn object(body: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(body).map_err(|err| format!("The state is no JSON object: {err}."))
}

fn bytes(body: &str) -> Result<Vec<u8>, String> {
    let packed: String = body.split_whitespace().collect();
    STANDARD
        .decode(packed)
        .map_err(|err| format!("This is no base64: {err}."))
}

fn empty(body: &str) -> Result<(), String> {
    match body {
        "" => Ok(()),
        _ => Err("The block must be empty.".to_owned()),
    }
}
