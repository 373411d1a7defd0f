//! Writes messages: whoever has one queues it, one thread writes, so that no analysis and no
//! reading waits for a slow client.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use serde::Serialize;

/// The way out; clones lead to the same stream.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    queue: Sender<Message>,
    /// Bytes that wait to be written.
    waiting: Arc<AtomicUsize>,
}

/// With more bytes than this unread by the client, its requests are refused until it has read some.
const MOST_UNREAD: usize = 64 << 20;

enum Message {
    Body(Vec<u8>),
    Notification(Vec<u8>),
    /// No notification is written any more.
    Hush,
    Close,
}

#[derive(Serialize)]
struct Notification<'a, P> {
    jsonrpc: &'static str,
    method: &'a str,
    params: P,
}

impl Outgoing {
    /// Starts the writing thread; it ends after [`Outgoing::close`], or when the stream does.
    pub(super) fn start(
        stream: impl Write + Send + 'static,
    ) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (queue, messages) = mpsc::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&waiting);
        let writer = thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || write(stream, &messages, &count))?;
        Ok((Self { queue, waiting }, writer))
    }

    /// Queues a whole JSON-RPC message.
    pub(super) fn send(&self, message: &impl Serialize) {
        self.queue(message, Message::Body);
    }

    pub(super) fn notify(&self, method: &str, params: impl Serialize) {
        self.queue(&Notification { jsonrpc: "2.0", method, params }, Message::Notification);
    }

    /// Drops every notification that is not queued yet: after `shutdown` a client expects answers
    /// alone, and work that is still under way has nothing more to say.
    pub(super) fn hush(&self) {
        let _ = self.queue.send(Message::Hush);
    }

    fn queue(&self, message: &impl Serialize, kind: fn(Vec<u8>) -> Message) {
        match serde_json::to_vec(message) {
            Ok(body) => {
                self.waiting.fetch_add(body.len(), Ordering::Relaxed);
                let _ = self.queue.send(kind(body));
            }
            Err(error) => tracing::error!("a message cannot be written: {error}"),
        }
    }

    /// The client does not read what it asked for.
    pub(super) fn is_choked(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > MOST_UNREAD
    }

    /// What is queued is still written, nothing after it.
    pub(super) fn close(&self) {
        let _ = self.queue.send(Message::Close);
    }
}

fn write(mut stream: impl Write, messages: &Receiver<Message>, waiting: &AtomicUsize) {
    let mut buffer = Vec::new();
    let mut hushed = false;
    while let Ok(first) = messages.recv() {
        let mut next = Some(first);
        let mut closed = false;
        let mut taken = 0;
        buffer.clear();
        while let Some(message) = next.take() {
            match message {
                Message::Close => closed = true,
                Message::Hush => hushed = true,
                Message::Notification(body) if hushed => taken += body.len(),
                Message::Body(body) | Message::Notification(body) => {
                    buffer.extend_from_slice(
                        format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(),
                    );
                    buffer.extend_from_slice(&body);
                    taken += body.len();
                }
            }
            if !closed && buffer.len() < 1 << 20 {
                next = messages.try_recv().ok();
            }
        }
        // A client that is gone is noticed by the reading side.
        if stream.write_all(&buffer).and_then(|()| stream.flush()).is_err() || closed {
            return;
        }
        waiting.fetch_sub(taken, Ordering::Relaxed);
        if buffer.capacity() > 1 << 20 {
            buffer = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use serde_json::json;

    use super::*;

    /// A stream that can be read while it is written.
    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn behind_the_hush_answers_are_written_and_notifications_are_not() {
        let page = Page::default();
        let (outgoing, writer) = Outgoing::start(page.clone()).unwrap();
        outgoing.notify("a/before", json!({}));
        outgoing.hush();
        outgoing.notify("a/behind", json!({}));
        outgoing.send(&json!({ "id": 1, "result": null }));
        outgoing.close();
        writer.join().unwrap();
        let written =
            String::from_utf8(page.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
                .unwrap();
        assert!(
            written.contains("a/before")
                && written.contains("\"id\":1")
                && !written.contains("a/behind"),
            "{written}"
        );
    }
}
