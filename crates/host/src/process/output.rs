//! What a program prints, on its way into a sink.

use std::io::ErrorKind;
use std::pin::pin;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe::Receiver;

use super::spawn::PIPE_BYTES;
use crate::Sink;

/// How much is read at a time.
const CHUNK_BYTES: usize = 64 * 1024;

/// The reading end of a program's pipe and the sink it flows into.
pub(super) struct Output<'a> {
    /// `None` when the last writer has gone.
    pipe: Option<Receiver>,
    sink: &'a mut dyn Sink,
    chunk: Vec<u8>,
}

impl<'a> Output<'a> {
    pub(super) fn new(pipe: Receiver, sink: &'a mut dyn Sink) -> Self {
        Self {
            pipe: Some(pipe),
            sink,
            chunk: vec![0; CHUNK_BYTES],
        }
    }

    /// Reads until something else is done.
    pub(super) async fn read_until<T>(&mut self, done: impl Future<Output = T>) -> T {
        let mut done = pin!(done);
        loop {
            tokio::select! {
                biased;
                value = &mut done => return value,
                () = self.read() => {}
            }
        }
    }

    /// Reads what is left: to the end, or for as long as this; then what lies in the pipe.
    pub(super) async fn drain(&mut self, time: Duration) {
        let mut over = pin!(tokio::time::sleep(time));
        while self.pipe.is_some() {
            tokio::select! {
                biased;
                () = &mut over => break,
                () = self.read() => {}
            }
        }
        self.empty();
    }

    /// Reads a chunk; after the end it waits for ever.
    async fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else {
            return std::future::pending().await;
        };
        match pipe.read(&mut self.chunk).await {
            Ok(0) => self.pipe = None,
            Ok(length) => self
                .sink
                .write(self.chunk.get(..length).unwrap_or_default()),
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(_) => self.pipe = None,
        }
    }

    /// Takes what is in the pipe without waiting. What the process itself wrote is in it; a child that writes on and
    /// on is cut off after a pipe's length.
    fn empty(&mut self) {
        let mut taken = 0;
        while let Some(pipe) = &self.pipe
            && taken <= PIPE_BYTES
        {
            match pipe.try_read(&mut self.chunk) {
                Ok(length) if length > 0 => {
                    taken += length;
                    self.sink
                        .write(self.chunk.get(..length).unwrap_or_default());
                }
                Err(err) if err.kind() == ErrorKind::Interrupted => {}
                _ => return,
            }
        }
    }
}
