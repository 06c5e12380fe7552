//! How the families see `fs.notebook_edit`.

mod claude;

pub(crate) use claude::Claude;
