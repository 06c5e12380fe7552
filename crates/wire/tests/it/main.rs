//! The wires from outside: documents in, turns out, and answers back.

#[cfg(test)]
mod anthropic;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod common;
#[cfg(test)]
mod faulty;
#[cfg(test)]
mod gemini;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod openai_chat;
#[cfg(test)]
mod openai_responses;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod wires;
#[cfg(test)]
mod wrong;
