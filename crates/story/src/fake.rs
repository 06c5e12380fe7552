//! A door with nothing behind it: what comes is told beforehand.

use std::sync::Mutex;

use serde_json::json;
use toolpost::core::Code;
use toolpost::{Dialect, Status};

use crate::disk::Place;
use crate::door::{Door, DoorError, Replied, Visit};
use crate::story::{Args, Call, Ending, Given, Policy};

/// Answers a call by its name: `say` with its text, `write` writes a file, `deny` refuses, `drop` gets no reply.
#[derive(Default)]
pub(crate) struct Fake {
    /// Each batch as it came: mode, dialect, names.
    pub(crate) batches: Mutex<Vec<String>>,
}

struct Behind<'a> {
    door: &'a Fake,
    place: &'a Place,
    policy: &'a Policy,
}

impl Door for Fake {
    fn name(&self) -> &'static str {
        "through a fake"
    }

    fn start<'a>(
        &'a self,
        place: &'a Place,
        policy: &'a Policy,
    ) -> Result<Box<dyn Visit + 'a>, DoorError> {
        if policy.mode.name() == "plan" {
            return Err(DoorError("Not today.".to_owned()));
        }
        Ok(Box::new(Behind {
            door: self,
            place,
            policy,
        }))
    }
}

impl Visit for Behind<'_> {
    fn batch(&mut self, dialect: Dialect, calls: &[Call]) -> Result<Vec<Replied>, DoorError> {
        let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        let mode = self.policy.mode.name();
        let line = format!("{mode} {} {}", dialect.0, names.join(","));
        self.door.batches.lock().unwrap().push(line);
        let answered = calls.iter().filter(|call| call.name != "drop");
        Ok(answered.map(|call| self.answer(call)).collect())
    }

    fn leave(self: Box<Self>) -> Result<(), DoorError> {
        Ok(())
    }
}

impl Behind<'_> {
    fn answer(&self, call: &Call) -> Replied {
        let said = match &call.args {
            Args::Json(map) => map.get("text").and_then(|text| text.as_str()),
            Args::Raw(text) | Args::Free(text) => Some(text.as_str()),
        };
        let said = said.unwrap_or_default().to_owned();
        let ending = match call.name.as_str() {
            "deny" => Ending::new(Status::Denied, Some(Code::Outside)),
            "write" => {
                let content = Given::File(said.clone().into_bytes());
                self.place.put("a.txt", &content).unwrap();
                Ending::new(Status::Ok, None)
            }
            _ => Ending::new(Status::Ok, None),
        };
        Replied {
            ending,
            view: Some(format!("<{said}>\n")),
            state: json!({ "said": said, "length": said.len() })
                .as_object()
                .unwrap()
                .clone(),
            text: said,
        }
    }
}
