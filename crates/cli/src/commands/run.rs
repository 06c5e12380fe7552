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
    place.toolpost.runtime().remember(&session, &toolset)?;
    let threads = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let ended = threads.block_on(async {
        let ended = answer(&place, args, &session, &toolset, wire).await;
        place.toolpost.runtime().close().await;
        place.toolpost.runtime().remember(&session, &toolset)?;
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

/// The toolset that the reply answers to: named, the session's last, or as the flags select.
fn toolset(place: &Place, common: &Common, args: &RunArgs) -> anyhow::Result<Toolset> {
    let runtime = place.toolpost.runtime();
    let of_session = || -> anyhow::Result<Option<String>> {
        let selects = &args.offering;
        let silent = selects.model.is_none()
            && selects.dialect.is_none()
            && selects.set.is_none()
            && selects.tools.is_none()
            && selects.deny.is_empty();
        let Some(name) = common.session.as_ref().filter(|_| silent) else {
            return Ok(None);
        };
        Ok(runtime
            .store()
            .session(name)?
            .and_then(|record| record.toolset))
    };
    let id = match &args.toolset {
        Some(id) => Some(id.clone()),
        None => of_session()?,
    };
    let Some(id) = id else {
        return place.toolset(&args.offering, args.leave.clone());
    };
    let thawed = runtime.thaw(&id);
    let thawed = thawed
        .map_err(|err| Unusable::new(err, "`toolpost tools --json` names the toolset it lists."))?;
    Ok(thawed.leaving(args.leave.clone()))
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
