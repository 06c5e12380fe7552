//! The journal: the durable record of calls, verdicts and endings. What stands in it is never changed; the oldest steps
//! go when there are too many.

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};
use serde::{Deserialize, Serialize};
use toolpost_host::ContentHash;

use crate::{Result, Store, StoreError, names};

/// How many steps are kept, the newest: with four to a call, the last 50,000 calls.
const STEPS_LIMIT: i64 = 200_000;
/// How many steps come before the surplus is looked at again.
const STEPS_A_LOOK: i64 = 1_000;

/// A step of a call, to be written.
///
/// Every text in it has passed the caller's gate. The journal holds hashes and titles, never whole arguments.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    /// The call's id, unique within its batch.
    pub call: &'a str,
    /// The session, when it has a name.
    pub session: Option<&'a str>,
    /// The batch's id, unique for ever.
    pub batch: &'a str,
    /// When it happened; kept to the microsecond.
    pub at: Timestamp,
    /// What happened.
    pub what: StepKind,
}

/// What happened to a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StepKind {
    /// A model asked for it.
    Proposed {
        /// The tool's canonical id, or the name as the model wrote it where no tool was found.
        tool: String,
        /// The hash of the arguments.
        #[serde(with = "hex")]
        args_hash: ContentHash,
        /// The plan's title, when there is a plan.
        title: Option<String>,
    },
    /// It was decided.
    Decided {
        /// `allow`, `ask` or `deny`.
        verdict: String,
        /// The rule that said so.
        rule: String,
    },
    /// It began to run.
    Started,
    /// It ended.
    Ended {
        /// The status's name.
        status: String,
        /// The code's name, when it did not end well.
        code: Option<String>,
        /// How long it ran, in milliseconds.
        ran_ms: u64,
        /// How many characters it made.
        chars_raw: u64,
        /// How many of them the model got.
        chars_kept: u64,
    },
}

impl StepKind {
    /// The kind's name, as it stands in the journal.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Proposed { .. } => "proposed",
            Self::Decided { .. } => "decided",
            Self::Started => "started",
            Self::Ended { .. } => "ended",
        }
    }
}

/// A step as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRecord {
    /// Its place; later steps have higher ones.
    pub seq: i64,
    /// The call's id.
    pub call: String,
    /// The session's name.
    pub session: Option<String>,
    /// The batch's id.
    pub batch: String,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub what: StepKind,
}

/// Which steps are wanted. The default is all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JournalFilter {
    /// Only this session's.
    pub session: Option<String>,
    /// Only those of calls with this id.
    pub call: Option<String>,
    /// Only those that happened then or later.
    pub since: Option<Timestamp>,
    /// At most so many, the newest.
    pub limit: Option<usize>,
}

/// A call that was started and has not ended: it still runs in some process, or that process was killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The step that says it was started.
    pub started: StepRecord,
    /// What was proposed, where that was journaled.
    pub proposed: Option<StepKind>,
}

impl Store {
    /// Adds a step to the journal. Once this returns, the step outlives this process.
    ///
    /// The journal keeps the 200,000 newest steps, and up to 1,000 more between two looks.
    pub fn step(&self, step: &Step<'_>) -> Result<()> {
        step.session.map_or(Ok(()), names::session)?;
        let body = serde_json::to_string(&step.what)
            .map_err(|err| StoreError::damaged_record("A step").because(err))?;
        self.database().with(|database| {
            let sql = "INSERT INTO step (call, session, batch, at, kind, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            database.prepare_cached(sql)?.execute(params![
                step.call,
                step.session,
                step.batch,
                step.at.as_microsecond(),
                step.what.name(),
                body,
            ])?;
            let seq = database.last_insert_rowid();
            if seq % STEPS_A_LOOK == 0 {
                // The step stands. A surplus that cannot go now goes at a later look.
                let _ = forget_steps(database, seq - STEPS_LIMIT);
            }
            Ok(())
        })
    }

    /// Gives the steps that were asked for, the newest last.
    pub fn steps(&self, filter: &JournalFilter) -> Result<Vec<StepRecord>> {
        let rows = self.database().with(|database| {
            let (sql, values) = filter.query();
            database
                .prepare_cached(&sql)?
                .query_map(params_from_iter(values), RawStep::read)?
                .collect::<rusqlite::Result<Vec<RawStep>>>()
        })?;
        rows.into_iter().rev().map(RawStep::parse).collect()
    }

    /// Gives the calls that were started and have not ended, the newest last.
    pub fn unfinished(&self) -> Result<Vec<Unfinished>> {
        let rows = self.database().with(|database| {
            let sql = "SELECT seq, call, session, batch, at, body,
                    (SELECT body FROM step AS first WHERE first.batch = step.batch AND first.call = step.call
                        AND first.kind = 'proposed' ORDER BY first.seq DESC LIMIT 1)
                FROM step WHERE kind = 'started' AND NOT EXISTS
                    (SELECT 1 FROM step AS last WHERE last.batch = step.batch AND last.call = step.call
                        AND last.kind = 'ended')
                ORDER BY seq";
            database
                .prepare_cached(sql)?
                .query_map([], |row| Ok((RawStep::read(row)?, row.get(6)?)))?
                .collect::<rusqlite::Result<Vec<(RawStep, Option<String>)>>>()
        })?;
        rows.into_iter()
            .map(|(started, proposed)| {
                Ok(Unfinished {
                    started: started.parse()?,
                    proposed: proposed.as_deref().map(what).transpose()?,
                })
            })
            .collect()
    }
}

impl JournalFilter {
    /// The query for the steps, the newest first. Only what is asked for stands in it, so that an index can serve.
    fn query(&self) -> (String, Vec<Value>) {
        let asked = [
            ("session = ?", self.session.clone().map(Value::Text)),
            ("call = ?", self.call.clone().map(Value::Text)),
            (
                "at >= ?",
                self.since
                    .map(|since| Value::Integer(since.as_microsecond())),
            ),
        ];
        let mut sql = "SELECT seq, call, session, batch, at, body FROM step WHERE TRUE".to_owned();
        let mut values = Vec::new();
        for (condition, value) in asked {
            if let Some(value) = value {
                sql.push_str(" AND ");
                sql.push_str(condition);
                values.push(value);
            }
        }
        sql.push_str(" ORDER BY seq DESC LIMIT ?");
        let limit = self
            .limit
            .map_or(-1, |limit| i64::try_from(limit).unwrap_or(i64::MAX));
        values.push(Value::Integer(limit));
        (sql, values)
    }
}

/// A row before its time and its body are read.
struct RawStep {
    seq: i64,
    call: String,
    session: Option<String>,
    batch: String,
    at: i64,
    body: String,
}

impl RawStep {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get(0)?,
            call: row.get(1)?,
            session: row.get(2)?,
            batch: row.get(3)?,
            at: row.get(4)?,
            body: row.get(5)?,
        })
    }

    fn parse(self) -> Result<StepRecord> {
        let at = Timestamp::from_microsecond(self.at)
            .map_err(|err| StoreError::damaged_record("A step of the journal").because(err))?;
        Ok(StepRecord {
            seq: self.seq,
            call: self.call,
            session: self.session,
            batch: self.batch,
            at,
            what: what(&self.body)?,
        })
    }
}

/// Removes a step and all before it.
fn forget_steps(database: &Connection, last: i64) -> rusqlite::Result<usize> {
    database.execute("DELETE FROM step WHERE seq <= ?1", [last])
}

fn what(body: &str) -> Result<StepKind> {
    serde_json::from_str(body)
        .map_err(|err| StoreError::damaged_record("A step of the journal").because(err))
}

/// Hashes as hexadecimal digits in a step's body.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de};
    use toolpost_host::ContentHash;

    pub(super) fn serialize<S: Serializer>(hash: &ContentHash, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(hash)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        source: D,
    ) -> Result<ContentHash, D::Error> {
        let text = String::deserialize(source)?;
        ContentHash::from_hex(&text).ok_or_else(|| de::Error::custom("not a hash"))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use tempfile::TempDir;
    use toolpost_host::ContentHash;

    use super::{JournalFilter, Step, StepKind};
    use crate::Store;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn proposed(tool: &str) -> StepKind {
        StepKind::Proposed {
            tool: tool.to_owned(),
            args_hash: ContentHash::of(tool.as_bytes()),
            title: Some(format!("Use `{tool}`")),
        }
    }

    fn decided() -> StepKind {
        StepKind::Decided {
            verdict: "allow".to_owned(),
            rule: "mode auto".to_owned(),
        }
    }

    fn ended() -> StepKind {
        StepKind::Ended {
            status: "error".to_owned(),
            code: Some("no_match".to_owned()),
            ran_ms: u64::MAX,
            chars_raw: 3,
            chars_kept: 2,
        }
    }

    /// Writes (call, session, second, what) as the steps of one batch.
    fn write(store: &Store, batch: &str, steps: &[(&str, Option<&str>, i64, StepKind)]) {
        for (call, session, second, what) in steps {
            let step = Step {
                call,
                session: *session,
                batch,
                at: at(*second),
                what: what.clone(),
            };
            store.step(&step).unwrap();
        }
    }

    fn journal() -> (TempDir, Store) {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path());
        let one = Some("one");
        write(
            &store,
            "b1",
            &[
                ("c1", one, 10, proposed("fs.read")),
                ("c1", one, 11, decided()),
                ("c1", one, 12, StepKind::Started),
                ("c2", one, 12, proposed("shell.run")),
                ("c2", one, 12, StepKind::Started),
                ("c1", one, 13, ended()),
            ],
        );
        write(
            &store,
            "b2",
            &[
                ("c1", None, 20, proposed("fs.edit")),
                ("c1", Some("two"), 21, StepKind::Started),
            ],
        );
        (folder, store)
    }

    #[test]
    fn steps_come_back_as_written_the_newest_last() {
        let (folder, store) = journal();
        drop(store);
        let steps = Store::open(folder.path())
            .steps(&JournalFilter::default())
            .unwrap();
        let shown: Vec<_> = steps
            .iter()
            .map(|step| (step.batch.as_str(), step.call.as_str(), step.at.as_second()))
            .collect();
        let expected = [
            ("b1", "c1", 10),
            ("b1", "c1", 11),
            ("b1", "c1", 12),
            ("b1", "c2", 12),
            ("b1", "c2", 12),
            ("b1", "c1", 13),
            ("b2", "c1", 20),
            ("b2", "c1", 21),
        ];
        assert_eq!(shown, expected);
        assert!(steps.is_sorted_by(|one, next| one.seq < next.seq));
        let kinds = [
            &steps[0].what,
            &steps[1].what,
            &steps[2].what,
            &steps[5].what,
        ];
        assert_eq!(
            kinds,
            [
                &proposed("fs.read"),
                &decided(),
                &StepKind::Started,
                &ended()
            ]
        );
        assert_eq!(steps[6].session, None);
        assert_eq!(steps[7].session.as_deref(), Some("two"));
    }

    #[test]
    fn filters() {
        let (_folder, store) = journal();
        let check = |session: Option<&str>, call: Option<&str>, since, limit, expected: &[i64]| {
            let filter = JournalFilter {
                session: session.map(str::to_owned),
                call: call.map(str::to_owned),
                since: Option::map(since, at),
                limit,
            };
            let seqs: Vec<_> = store
                .steps(&filter)
                .unwrap()
                .iter()
                .map(|step| step.seq)
                .collect();
            assert_eq!(seqs, expected, "{filter:?}");
        };
        check(None, None, None, None, &[1, 2, 3, 4, 5, 6, 7, 8]);
        check(None, None, None, Some(3), &[6, 7, 8]);
        check(None, None, None, Some(0), &[]);
        check(
            None,
            None,
            None,
            Some(usize::MAX),
            &[1, 2, 3, 4, 5, 6, 7, 8],
        );
        check(Some("one"), None, None, None, &[1, 2, 3, 4, 5, 6]);
        check(Some("none"), None, None, None, &[]);
        check(None, Some("c1"), None, None, &[1, 2, 3, 6, 7, 8]);
        check(None, None, Some(13), None, &[6, 7, 8]);
        check(None, None, Some(22), None, &[]);
        check(Some("one"), Some("c1"), Some(11), Some(2), &[3, 6]);
    }

    #[test]
    fn started_without_an_end_is_unfinished() {
        let (_folder, store) = journal();
        let shown = || -> Vec<_> {
            let unfinished = store.unfinished().unwrap().into_iter();
            unfinished
                .map(|call| (call.started.batch, call.started.call, call.proposed))
                .collect()
        };
        let second = (
            "b1".to_owned(),
            "c2".to_owned(),
            Some(proposed("shell.run")),
        );
        let third = ("b2".to_owned(), "c1".to_owned(), Some(proposed("fs.edit")));
        assert_eq!(shown(), [second, third.clone()]);
        write(&store, "b1", &[("c2", Some("one"), 30, ended())]);
        assert_eq!(shown(), [third]);
    }

    #[test]
    fn the_oldest_steps_go() {
        let (_folder, store) = journal();
        let jump = |seq: i64| {
            let sql = "UPDATE sqlite_sequence SET seq = ?1 WHERE name = 'step'";
            let jumped = store.database().with(|db| db.execute(sql, [seq]));
            assert_eq!(jumped.unwrap(), 1);
        };
        let check = |seq: i64, expected: &[i64]| {
            jump(seq - 1);
            write(&store, "b", &[("c", None, 40, StepKind::Started)]);
            let steps = store.steps(&JournalFilter::default()).unwrap();
            let seqs: Vec<_> = steps.iter().map(|step| step.seq).collect();
            assert_eq!(seqs, expected);
        };
        check(2_000, &[1, 2, 3, 4, 5, 6, 7, 8, 2_000]);
        check(201_999, &[1, 2, 3, 4, 5, 6, 7, 8, 2_000, 201_999]);
        check(202_000, &[201_999, 202_000]);
    }

    #[test]
    fn a_body_holds_the_fields_of_its_kind() {
        let check = |what: StepKind, expected: serde_json::Value| {
            let body = serde_json::to_value(&what).unwrap();
            assert_eq!(body, expected);
            assert_eq!(body["kind"], what.name());
            assert_eq!(serde_json::from_value::<StepKind>(body).unwrap(), what);
        };
        check(StepKind::Started, serde_json::json!({"kind": "started"}));
        check(
            decided(),
            serde_json::json!({"kind": "decided", "verdict": "allow", "rule": "mode auto"}),
        );
        let hash = ContentHash::of(b"t").to_string();
        check(
            proposed("t"),
            serde_json::json!({"kind": "proposed", "tool": "t", "args_hash": hash, "title": "Use `t`"}),
        );
        check(
            ended(),
            serde_json::json!({"kind": "ended", "status": "error", "code": "no_match", "ran_ms": u64::MAX,
                "chars_raw": 3, "chars_kept": 2}),
        );
    }
}
