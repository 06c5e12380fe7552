//! Where a stream of bytes goes while it is produced.

/// Takes bytes as they arrive. A sink never blocks its writer and never fails: what it cannot keep it counts.
pub trait Sink: Send {
    /// Takes the next chunk. Chunks may end in the middle of a character.
    fn write(&mut self, chunk: &[u8]);
}

impl Sink for Vec<u8> {
    fn write(&mut self, chunk: &[u8]) {
        self.extend_from_slice(chunk);
    }
}
