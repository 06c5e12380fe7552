//! `toolpost call`: one call.

use std::io::Read as _;

use toolpost::core::{CallId, Completeness, Form, RawArgs, RawCall};
use toolpost::wire::plain;
use toolpost::{Controls, Dialect, Selection, Wanted};

use crate::args::{CallArgs, Common};
use crate::exit::{Exit, Unusable};
use crate::place::{Place, named_dialect};
use crate::print::{foreign, line};

pub(crate) fn run(common: &Common, args: &CallArgs) -> anyhow::Result<Exit> {
    let place = Place::new(common)?;
    let session = place.session(common)?;
    let dialect = args
        .dialect
        .as_deref()
        .map_or(Ok(Dialect::PLAIN), named_dialect)?;
    let selection = Selection {
        wanted: Wanted::All,
        ..Selection::usual(dialect)
    };
    let toolset = place
        .toolpost
        .toolset(&selection)
        .map_err(|err| Unusable::new(err, ""))?;
    let call = RawCall {
        id: CallId("call".to_owned()),
        name: args.tool.clone(),
        args: RawArgs::Text(arguments(args)?),
        completeness: Completeness::Whole,
        form: Form::Function,
    };
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let (answer, remembered) = threads.block_on(async {
        let controls = Controls::new();
        let ending = crate::signals::ending();
        let calling = place
            .toolpost
            .batch(&session, &toolset, vec![call], &controls);
        tokio::pin!(calling);
        let answer = tokio::select! {
            answer = &mut calling => answer,
            _ = ending.raised() => {
                controls.cancel_all();
                calling.await
            }
        };
        place.toolpost.runtime().close().await;
        (answer, place.toolpost.runtime().remember(&session, None))
    });
    threads.shutdown_background();
    remembered?;
    let Some(reply) = answer.replies.first() else {
        return Ok(Exit::Unknown);
    };
    if common.json {
        line(&plain::write(reply).to_string())?;
    } else {
        foreign(&reply.text())?;
    }
    Ok(reply.status.into())
}

/// The arguments as typed, from standard input, or none.
fn arguments(args: &CallArgs) -> anyhow::Result<String> {
    match args.arguments.as_deref() {
        None => Ok("{}".to_owned()),
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            Ok(text)
        }
        Some(text) => Ok(text.to_owned()),
    }
}
