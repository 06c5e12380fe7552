//! Which parts of a notebook's text change.

use serde_json::{Map, Value, json};
use toolpost_host::{ContentHash, Splice};

use super::CellType;
use super::writing::Manner;
use crate::files::json::{Member, Node};
use crate::files::notebook::{self, Ids, Notebook};

/// What only code cells have, with what a fresh one has there.
const CODE_ONLY: [&str; 2] = ["execution_count", "outputs"];

/// A notebook that is to be changed.
pub(super) struct Desk<'a> {
    text: &'a str,
    notebook: &'a Notebook,
    manner: Manner,
}

/// What a new or changed cell is to hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) source: Option<&'a str>,
    pub(super) cell_type: Option<CellType>,
}

impl<'a> Desk<'a> {
    pub(super) fn on(text: &'a str, notebook: &'a Notebook) -> Self {
        Self {
            text,
            notebook,
            manner: Manner::of(text, &notebook.root),
        }
    }

    /// Changes a cell. Outputs go where the source changes.
    pub(super) fn replace(&self, cell: &Node, wanted: Wanted<'_>) -> Vec<Splice> {
        let mut splices = Vec::new();
        let was = notebook::type_of(cell, self.text);
        let becomes = wanted.cell_type.map_or(was.as_str(), |kind| kind.name());
        let source = wanted
            .source
            .filter(|source| *source != notebook::source_of(cell, self.text));
        let mut comes = Vec::new();
        if let Some(source) = source {
            match cell.member("source") {
                Some(member) => splices.push(self.source(member, source)),
                None => comes.push(("source", split(source))),
            }
        }
        if becomes != was {
            if let Some(node) = cell.get("cell_type") {
                splices.push(put(node, self.manner.value(&Value::from(becomes), "")));
            }
            splices.extend(self.without(cell, foreign_to(becomes)));
        }
        if becomes == "code" {
            for key in CODE_ONLY {
                match cell.get(key) {
                    Some(node) if source.is_some() => {
                        splices.push(put(node, fresh(key).to_string()))
                    }
                    None if becomes != was => comes.push((key, fresh(key))),
                    _ => {}
                }
            }
        }
        splices.extend(self.with(cell, &comes, foreign_to(becomes)));
        splices.retain(|splice| self.text.get(splice.range.clone()) != Some(splice.with.as_str()));
        splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
        splices
    }

    fn source(&self, member: &Member, source: &str) -> Splice {
        let node = &member.value;
        let old = self.text.get(node.span.clone()).unwrap_or_default();
        let indent = self.indent_of(member.key_span.start);
        let Some(items) = node.items() else {
            return put(node, self.manner.value(&Value::from(source), indent));
        };
        let spread = if items.is_empty() {
            self.begins_line(member.key_span.start)
        } else {
            old.contains('\n')
        };
        let manner = if spread {
            self.manner.clone()
        } else {
            self.manner.on_one_line()
        };
        put(node, manner.value(&split(source), indent))
    }

    /// Takes members out of an object.
    fn without(&self, cell: &Node, keys: &[&str]) -> Vec<Splice> {
        let members = cell.members();
        let goes = |member: &&Member| keys.contains(&member.key.as_str());
        let leading = members.iter().take_while(goes).count();
        let mut splices = Vec::new();
        if let (Some(first), Some(kept)) = (members.first(), members.get(leading))
            && leading > 0
        {
            splices.push(Splice {
                range: first.key_span.start..kept.key_span.start,
                with: String::new(),
            });
        }
        let pairs = members.iter().zip(members.iter().skip(1)).skip(leading);
        splices.extend(
            pairs
                .filter(|(_, member)| goes(member))
                .map(|(before, member)| Splice {
                    range: before.value.span.end..member.value.span.end,
                    with: String::new(),
                }),
        );
        splices
    }

    /// Puts members behind the last one that stays.
    fn with(&self, cell: &Node, comes: &[(&str, Value)], goes: &[&str]) -> Option<Splice> {
        let mut kept = cell.members().iter().rev();
        let last = kept.find(|member| !goes.contains(&member.key.as_str()))?;
        if comes.is_empty() {
            return None;
        }
        let start = last.key_span.start;
        let indent = self.indent_of(start);
        let (gap, manner) = if self.begins_line(start) {
            (
                format!("{}{indent}", self.line_break_before(start)),
                self.manner.clone(),
            )
        } else {
            (self.manner.gap(), self.manner.on_one_line())
        };
        let with = comes
            .iter()
            .map(|(key, value)| format!(",{gap}{}", manner.member(key, value, indent)))
            .collect();
        Some(Splice {
            range: last.value.span.end..last.value.span.end,
            with,
        })
    }

    /// Puts a new cell at an index; its id, where cells have ids.
    pub(super) fn insert(
        &self,
        index: usize,
        kind: CellType,
        source: &str,
    ) -> (Splice, Option<String>) {
        let id = (self.notebook.ids == Ids::Used).then(|| self.new_id(index, source));
        let cell = self.new_cell(kind, source, id.as_deref());
        let cells = &self.notebook.cells;
        let inside = self.notebook.list.span.start + 1..self.notebook.list.span.end - 1;
        let Some(neighbour) = cells.get(index.saturating_sub(1)).or(cells.first()) else {
            return (self.first_cell(&cell, inside), id);
        };
        let spread = self.begins_line(neighbour.span.start);
        let indent = self.indent_of(neighbour.span.start);
        let (gap, manner) = if spread {
            (
                format!("{}{indent}", self.line_break_before(neighbour.span.start)),
                self.manner.clone(),
            )
        } else {
            (self.manner.gap(), self.manner.on_one_line())
        };
        let written = manner.value(&cell, indent);
        let splice = if index == 0 {
            let at = neighbour.span.start;
            Splice {
                range: at..at,
                with: format!("{written},{gap}"),
            }
        } else {
            let at = neighbour.span.end;
            Splice {
                range: at..at,
                with: format!(",{gap}{written}"),
            }
        };
        (splice, id)
    }

    fn first_cell(&self, cell: &Value, inside: std::ops::Range<usize>) -> Splice {
        let list = self.manner.value(
            &Value::Array(vec![cell.clone()]),
            self.indent_of(self.notebook.list.span.start),
        );
        let with = list.get(1..list.len() - 1).unwrap_or_default().to_owned();
        Splice {
            range: inside,
            with,
        }
    }

    /// A cell as Jupyter writes it: keys in order of the alphabet.
    fn new_cell(&self, kind: CellType, source: &str, id: Option<&str>) -> Value {
        let mut cell = Map::new();
        cell.insert("cell_type".to_owned(), kind.name().into());
        let code = kind == CellType::Code;
        if code {
            cell.insert("execution_count".to_owned(), Value::Null);
        }
        if let Some(id) = id {
            cell.insert("id".to_owned(), id.into());
        }
        cell.insert("metadata".to_owned(), json!({}));
        if code {
            cell.insert("outputs".to_owned(), json!([]));
        }
        let mut sources = self
            .notebook
            .cells
            .iter()
            .filter_map(|cell| cell.get("source"));
        let as_string = sources
            .next()
            .is_some_and(|source| source.items().is_none());
        let source = if as_string {
            Value::from(source)
        } else {
            split(source)
        };
        cell.insert("source".to_owned(), source);
        Value::Object(cell)
    }

    /// An id that no cell has: eight characters that follow from the notebook and the call.
    fn new_id(&self, index: usize, source: &str) -> String {
        let taken: Vec<String> = self
            .notebook
            .cells
            .iter()
            .filter_map(|cell| notebook::id_of(cell, self.text))
            .collect();
        let candidate = |round: u64| {
            let seed = format!("{round} {index} {source}\n{}", self.text);
            let hash = ContentHash::of(seed.as_bytes()).to_string();
            hash.chars().take(8).collect::<String>()
        };
        let mut candidates = (0..).map(candidate);
        candidates
            .find(|id| !taken.contains(id))
            .unwrap_or_default()
    }

    /// Takes a cell out.
    pub(super) fn delete(&self, index: usize) -> Option<Splice> {
        let cells = &self.notebook.cells;
        let cell = cells.get(index)?;
        let before = index.checked_sub(1).and_then(|index| cells.get(index));
        let range = match (before, cells.get(index + 1)) {
            (_, Some(next)) => cell.span.start..next.span.start,
            (Some(before), None) => before.span.end..cell.span.end,
            (None, None) => self.notebook.list.span.start + 1..self.notebook.list.span.end - 1,
        };
        Some(Splice {
            range,
            with: String::new(),
        })
    }

    /// The blanks at the beginning of the line in which a place lies.
    fn indent_of(&self, place: usize) -> &'a str {
        let before = self.text.get(..place).unwrap_or_default();
        let line = before
            .rfind('\n')
            .map_or(before, |at| before.get(at + 1..).unwrap_or_default());
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        match self.manner.unit() {
            Some(_) => line.get(..blanks).unwrap_or_default(),
            None => "",
        }
    }

    /// Whether only blanks stand before a place in its line.
    fn begins_line(&self, place: usize) -> bool {
        let before = self.text.get(..place).unwrap_or_default();
        before.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    fn line_break_before(&self, place: usize) -> &'static str {
        let before = self.text.get(..place).unwrap_or_default();
        let before = before.trim_end_matches([' ', '\t']);
        if before.ends_with("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }
}

/// The keys that a cell of a kind must not have.
fn foreign_to(kind: &str) -> &'static [&'static str] {
    match kind {
        "code" => &["attachments"],
        _ => &CODE_ONLY,
    }
}

fn fresh(key: &str) -> Value {
    match key {
        "outputs" => json!([]),
        _ => Value::Null,
    }
}

/// A text as a list of lines, each with its line break.
fn split(source: &str) -> Value {
    source.split_inclusive('\n').map(Value::from).collect()
}

fn put(node: &Node, with: String) -> Splice {
    Splice {
        range: node.span.clone(),
        with,
    }
}
