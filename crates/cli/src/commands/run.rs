//! `toolpost run`: a model's reply in, tool results out.

use std::io::Read as _;
use std::path::Path;

use toolpost::{Answered, Controls, ModelReply, Session, Toolset, Wire};

use crate::args::{Common, RunArgs};
use crate::coprocess::{Desk, serve, tell_left};
use crate::exit::{Exit, Unusable};
use crate::place::{Place, wire};
use crate::print::{line, note};

/// The largest reply that is read, in bytes.
const REPLY_BYTES: u64 = 256 * 1024 * 1024;

pub(crate) fn run(common: &Common, args: &RunArgs) -> anyhow::Result<Exit> {
    let place = Place::new(common)?;
    let session = place.session(common)?;
    let toolset = toolset(&place, common, args)?;
    let wire = wire(&args.offering, toolset.dialect())?;
    place
        .toolpost
        .runtime()
        .remember(&session, Some(&toolset))?;
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let ended = threads.block_on(async {
        let ended = answer(&place, args, &session, &toolset, wire).await;
        place.toolpost.runtime().close().await;
        place
            .toolpost
            .runtime()
            .remember(&session, Some(&toolset))?;
        ended
    });
    // A thread that waits for input that never comes must not hold the process.
    threads.shutdown_background();
    ended
}

async fn answer(
    place: &Place,
    args: &RunArgs,
    session: &Session,
    toolset: &Toolset,
    wire: Wire,
) -> anyhow::Result<Exit> {
    let toolpost = &place.toolpost;
    if args.follow || wire == Wire::Plain {
        if let Some(file) = args.file.as_deref().filter(|file| *file != Path::new("-")) {
            let fact = format!("`{}` cannot be followed.", file.display());
            return Err(
                Unusable::new(fact, "Lines come on standard input; pipe the file in.").into(),
            );
        }
        serve(&Desk {
            toolpost,
            session,
            toolset,
            wire,
        })
        .await?;
        return Ok(Exit::Done);
    }
    let document = document(place, args.file.as_deref())?;
    let reply = ModelReply {
        wire,
        document: &document,
    };
    let controls = Controls::new();
    let ending = crate::signals::ending();
    let answering = toolpost.answer(session, toolset, reply, &controls);
    tokio::pin!(answering);
    let answered = tokio::select! {
        answered = &mut answering => answered,
        _ = ending.raised() => {
            controls.cancel_all();
            answering.await
        }
    };
    let Answered {
        append,
        left,
        notices,
        ..
    } = answered.map_err(|err| Unusable::new(err.fact, err.hint))?;
    notices.iter().for_each(|notice| note(notice));
    tell_left(&left);
    if let Some(append) = append {
        line(&append.to_string())?;
    }
    Ok(Exit::Done)
}

/// The toolset that the reply answers to: the named one, the one whose list last went out in the session, or as the
/// flags select.
fn toolset(place: &Place, common: &Common, args: &RunArgs) -> anyhow::Result<Toolset> {
    let left = args.leave.clone();
    if let Some(id) = &args.toolset {
        return Ok(thaw(place, id)?.leaving(left));
    }
    match of_session(place, common, args)? {
        Some(toolset) => Ok(toolset.leaving(left)),
        None => place.toolset(&args.offering, left),
    }
}

/// The session's toolset, unless the flags select other tools or another dialect.
fn of_session(place: &Place, common: &Common, args: &RunArgs) -> anyhow::Result<Option<Toolset>> {
    let flags = &args.offering;
    let selects = flags.set.is_some() || flags.tools.is_some() || !flags.deny.is_empty();
    let Some(name) = common.session.as_ref().filter(|_| !selects) else {
        return Ok(None);
    };
    let record = place.toolpost.runtime().store().session(name)?;
    let Some(id) = record.and_then(|record| record.toolset) else {
        return Ok(None);
    };
    let toolset = thaw(place, &id)?;
    let silent = flags.model.is_none() && flags.dialect.is_none();
    if silent || crate::place::dialect(flags)? == toolset.dialect() {
        return Ok(Some(toolset));
    }
    note(&format!(
        "the list that last went out in session `{name}` was in another dialect; it no longer counts"
    ));
    Ok(None)
}

fn thaw(place: &Place, id: &str) -> anyhow::Result<Toolset> {
    let thawed = place.toolpost.runtime().thaw(id);
    let hint = "`toolpost tools --json` names the toolset it lists.";
    Ok(thawed.map_err(|err| Unusable::new(err, hint))?)
}

/// Reads the reply.
fn document(place: &Place, file: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    match file {
        Some(file) if file != Path::new("-") => {
            let path = toolpost::host::resolve(&place.cwd, &file.to_string_lossy());
            let content = path.and_then(|path| toolpost::host::read_whole(&path, REPLY_BYTES));
            Ok(content
                .map_err(|err| Unusable::new(err, "Name a file with the model's reply."))?
                .bytes)
        }
        _ => {
            let mut bytes = Vec::new();
            std::io::stdin().take(REPLY_BYTES).read_to_end(&mut bytes)?;
            Ok(bytes)
        }
    }
}
