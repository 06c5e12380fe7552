//! Reply: what leaves goes under its id.

use toolpost_core::{Body, Bounded, Reply};

use super::govern::Closed;

/// Makes the one reply to a call.
pub(crate) fn reply(closed: Closed, body: Bounded<Body>) -> Reply {
    let Closed { call, status } = closed;
    Reply {
        id: call.id,
        name: call.name,
        form: call.form,
        status,
        body,
    }
}
