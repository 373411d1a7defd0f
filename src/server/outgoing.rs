//! Writes messages to the client in the order in which they are sent. A dedicated thread writes
//! them, so that neither reading nor the runtime waits for a slow client; a pool thread that has
//! found an answer writes it itself if nothing else is being written, so that no other thread has
//! to wake up first.

use std::collections::VecDeque;
use std::io::{self, IoSlice, Write};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use parking_lot::{Condvar, Mutex, MutexGuard};
use serde::Serialize;

use super::message::Message;

/// A handle to the queue; clones share it.
#[derive(Clone)]
pub(super) struct Outgoing(Arc<Queue>);

struct Queue {
    state: Mutex<State>,
    /// There is something to write, or nothing more will come.
    news: Condvar,
}

struct State {
    queue: VecDeque<Message>,
    /// `None` while a thread writes to it.
    stream: Option<Box<dyn Write + Send>>,
    /// The number of bytes that are queued or being written.
    waiting: usize,
    /// Notifications are no longer sent.
    hushed: bool,
    /// Nothing more is sent.
    closed: bool,
}

/// With more unread bytes than this, the client's requests are refused until it has read some.
const MOST_UNREAD: usize = 64 << 20;

/// Messages are written together up to this many bytes.
const MOST_TOGETHER: usize = 1 << 20;

#[derive(Serialize)]
struct Notification<'a, P> {
    jsonrpc: &'static str,
    method: &'a str,
    params: P,
}

impl Outgoing {
    /// Starts the writing thread; it ends after [`Outgoing::close`], or with the stream.
    pub(super) fn start(stream: impl Write + Send + 'static) -> io::Result<(Self, JoinHandle<()>)> {
        let state = State {
            queue: VecDeque::new(),
            stream: Some(Box::new(stream)),
            waiting: 0,
            hushed: false,
            closed: false,
        };
        let queue = Arc::new(Queue { state: Mutex::new(state), news: Condvar::new() });
        let outgoing = Self(Arc::clone(&queue));
        let writer =
            thread::Builder::new().name("writer".to_owned()).spawn(move || queue.write())?;
        Ok((outgoing, writer))
    }

    /// Queues a complete JSON-RPC message.
    pub(super) fn send(&self, message: &impl Serialize) {
        if let Some(message) = to_message(message) {
            self.0.add(message);
        }
    }

    pub(super) fn notify(&self, method: &str, params: impl Serialize) {
        let notification = Notification { jsonrpc: "2.0", method, params };
        if let Some(message) = to_message(&notification) {
            self.notify_written(message);
        }
    }

    /// The same for messages that are already written.
    pub(super) fn send_written(&self, message: Message) {
        self.0.add(message);
    }

    pub(super) fn notify_written(&self, message: Message) {
        if !self.0.state.lock().hushed {
            self.0.add(message);
        }
    }

    /// Queues a notification for [`Outgoing::write`].
    pub(super) fn queue(&self, message: Message) {
        let mut state = self.0.state.lock();
        if !state.hushed {
            state.push(message);
        }
    }

    /// Writes the queue now, or leaves it to a thread that is writing. Only for threads that may wait
    /// for the client.
    pub(super) fn write(&self) {
        self.0.write_queued(self.0.state.lock());
    }

    /// Queues a message, and writes like [`Outgoing::write`].
    pub(super) fn deliver(&self, message: Message) {
        let mut state = self.0.state.lock();
        state.push(message);
        self.0.write_queued(state);
    }

    /// Drops all notifications from now on: after `shutdown` a client only expects answers, and
    /// work in progress has nothing to report.
    pub(super) fn hush(&self) {
        self.0.state.lock().hushed = true;
    }

    /// The client doesn't read the answers.
    pub(super) fn is_choked(&self) -> bool {
        self.0.state.lock().waiting > MOST_UNREAD
    }

    /// Queued messages are still written, but nothing after them.
    pub(super) fn close(&self) {
        self.0.state.lock().closed = true;
        self.0.news.notify_one();
    }
}

impl std::fmt::Debug for Outgoing {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Outgoing").finish_non_exhaustive()
    }
}

fn to_message(message: &impl Serialize) -> Option<Message> {
    match serde_json::to_string(message) {
        Ok(body) => Some(body.into()),
        Err(error) => {
            tracing::error!("cannot write a message: {error}");
            None
        }
    }
}

impl State {
    fn push(&mut self, message: Message) {
        if !self.closed {
            self.waiting += message.len();
            self.queue.push_back(message);
        }
    }

    /// Messages that can be written together, out of the queue.
    fn batch(&mut self) -> Vec<Message> {
        let (mut batch, mut length) = (Vec::new(), 0);
        while length < MOST_TOGETHER
            && let Some(next) = self.queue.pop_front()
        {
            length += next.len();
            batch.push(next);
        }
        batch
    }
}

impl Queue {
    fn add(&self, message: Message) {
        self.state.lock().push(message);
        self.news.notify_one();
    }

    /// Writes until the queue is closed and empty, or the stream ends.
    fn write(&self) {
        let mut state = self.state.lock();
        loop {
            // A thread that has the stream brings it back with news, if there are any.
            while state.stream.is_none() || state.queue.is_empty() && !state.closed {
                self.news.wait(&mut state);
            }
            let batch = state.batch();
            if batch.is_empty() {
                return;
            }
            Self::write_now(&mut state, &batch);
        }
    }

    /// Writes one batch of the queue if no other thread is writing.
    fn write_queued(&self, mut state: MutexGuard<State>) {
        if state.stream.is_none() {
            return;
        }
        let batch = state.batch();
        if !batch.is_empty() {
            Self::write_now(&mut state, &batch);
        }
        if state.closed || !state.queue.is_empty() {
            self.news.notify_one();
        }
    }

    /// Writes messages; others can be queued at the same time.
    fn write_now(state: &mut MutexGuard<State>, messages: &[Message]) {
        let Some(mut stream) = state.stream.take() else { return };
        let done = MutexGuard::unlocked(state, || write_all(&mut *stream, messages));
        state.stream = Some(stream);
        state.waiting -= messages.iter().map(Message::len).sum::<usize>();
        if done.is_err() {
            // The reading thread notices a client that has exited.
            state.closed = true;
            state.queue.clear();
        }
    }
}

/// Writes messages with their headers, in as few calls as possible.
fn write_all(stream: &mut dyn Write, messages: &[Message]) -> io::Result<()> {
    let header = |message: &Message| format!("Content-Length: {}\r\n\r\n", message.len());
    let headers: Vec<String> = messages.iter().map(header).collect();
    let mut slices: Vec<IoSlice> = Vec::new();
    for (message, header) in messages.iter().zip(&headers) {
        slices.push(IoSlice::new(header.as_bytes()));
        slices.extend(message.pieces().map(|piece| IoSlice::new(piece.as_bytes())));
    }
    let mut rest = slices.as_mut_slice();
    while !rest.is_empty() {
        match stream.write_vectored(rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut rest, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    /// A stream that can be read while it is written.
    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn after_hush_only_answers_are_written() {
        let page = Page::default();
        let (outgoing, writer) = Outgoing::start(page.clone()).unwrap();
        outgoing.notify("a/before", json!({}));
        outgoing.hush();
        outgoing.notify("a/behind", json!({}));
        outgoing.send(&json!({ "id": 1, "result": null }));
        outgoing.close();
        writer.join().unwrap();
        let written = String::from_utf8(page.0.lock().clone()).unwrap();
        assert!(
            written.contains("a/before")
                && written.contains("\"id\":1")
                && !written.contains("a/behind"),
            "{written}"
        );
    }

    /// A stream that takes a few bytes at a time, and nothing while it is held.
    #[derive(Clone, Default)]
    struct Slow(Page, Arc<Mutex<()>>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let _held = self.1.lock();
            self.0.write(bytes.get(..7).unwrap_or(bytes))
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn numbers(page: &Page) -> Vec<u64> {
        let mut written = page.0.lock().clone();
        let mut found = Vec::new();
        while let Some(end) = memchr::memmem::find(&written, b"\r\n\r\n") {
            let head = String::from_utf8(written.drain(..end + 4).collect()).unwrap();
            let length = head.trim().strip_prefix("Content-Length: ").unwrap();
            let length: usize = length.parse().unwrap();
            let body: Vec<u8> = written.drain(..length).collect();
            found.push(serde_json::from_slice(&body).unwrap());
        }
        assert!(written.is_empty());
        found
    }

    /// Messages arrive whole and in the order in which they were sent, whichever thread writes.
    #[test]
    fn messages_keep_their_order() {
        let slow = Slow::default();
        let (outgoing, writer) = Outgoing::start(slow.clone()).unwrap();
        let message = |number: u64| Message::from(format!("{number}{}", " ".repeat(50)));
        let held = slow.1.lock();
        let first = {
            let outgoing = outgoing.clone();
            thread::spawn(move || outgoing.deliver(message(0)))
        };
        while outgoing.0.state.lock().stream.is_some() {
            thread::sleep(Duration::from_millis(1));
        }
        // Neither waits while another thread writes.
        for number in 1..100 {
            if number % 3 == 0 {
                outgoing.deliver(message(number));
            } else if number % 3 == 1 {
                outgoing.queue(message(number));
                outgoing.write();
            } else {
                outgoing.send_written(message(number));
            }
        }
        drop(held);
        first.join().unwrap();
        for number in 100..200 {
            outgoing.queue(message(number));
            if number % 2 == 0 {
                outgoing.write();
            }
        }
        outgoing.write();
        outgoing.close();
        outgoing.deliver(message(200));
        writer.join().unwrap();
        assert_eq!(numbers(&slow.0), (0..200).collect::<Vec<_>>());
        assert_eq!(outgoing.0.state.lock().waiting, 0);
    }
}
