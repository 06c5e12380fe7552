//! `toolpost try`: one stage alone.

use std::io::Read as _;

use serde_json::Value;
use toolpost::wire::try_stages;

use crate::args::{Stage, TryArgs};
use crate::exit::{Exit, Unusable};
use crate::print::line;

pub(crate) fn run(args: &TryArgs) -> anyhow::Result<Exit> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let request: Value = serde_json::from_str(&text).map_err(|err| {
        Unusable::new(
            format!("Standard input is not JSON: {err}."),
            "Pipe one JSON object in.",
        )
    })?;
    let answer = match args.stage {
        Stage::Decode => try_stages::decode(request),
        Stage::Import => try_stages::import(request),
        Stage::Lower => try_stages::lower(request),
    };
    line(&answer.to_string())?;
    Ok(Exit::Done)
}
