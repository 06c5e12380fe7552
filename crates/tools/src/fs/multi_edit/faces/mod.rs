//! How the families see `fs.multi_edit`.

mod claude;

pub(crate) use claude::Claude;
