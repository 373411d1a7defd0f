//! Writes messages from a queue on one thread, so that neither analysis nor reading waits for a
//! slow client.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use serde::Serialize;

/// A handle to the queue; clones share it.
#[derive(Debug, Clone)]
pub(super) struct Outgoing {
    queue: Sender<Message>,
    /// The number of queued bytes.
    waiting: Arc<AtomicUsize>,
}

/// With more unread bytes than this, the client's requests are refused until it has read some.
const MOST_UNREAD: usize = 64 << 20;

enum Message {
    Body(Vec<u8>),
    Notification(Vec<u8>),
    /// Notifications are no longer sent.
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
    /// Starts the writing thread; it ends after [`Outgoing::close`], or with the stream.
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

    /// Queues a complete JSON-RPC message.
    pub(super) fn send(&self, message: &impl Serialize) {
        self.queue(message, Message::Body);
    }

    pub(super) fn notify(&self, method: &str, params: impl Serialize) {
        self.queue(&Notification { jsonrpc: "2.0", method, params }, Message::Notification);
    }

    /// The same for messages that are already written.
    pub(super) fn send_written(&self, body: String) {
        self.queue_body(body.into_bytes(), Message::Body);
    }

    pub(super) fn notify_written(&self, body: String) {
        self.queue_body(body.into_bytes(), Message::Notification);
    }

    /// Drops all notifications from now on: after `shutdown` a client only expects answers, and
    /// work in progress has nothing to report.
    pub(super) fn hush(&self) {
        let _ = self.queue.send(Message::Hush);
    }

    fn queue(&self, message: &impl Serialize, kind: fn(Vec<u8>) -> Message) {
        match serde_json::to_vec(message) {
            Ok(body) => self.queue_body(body, kind),
            Err(error) => tracing::error!("cannot write a message: {error}"),
        }
    }

    fn queue_body(&self, body: Vec<u8>, kind: fn(Vec<u8>) -> Message) {
        self.waiting.fetch_add(body.len(), Ordering::Relaxed);
        let _ = self.queue.send(kind(body));
    }

    /// The client doesn't read the answers.
    pub(super) fn is_choked(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > MOST_UNREAD
    }

    /// Queued messages are still written, but nothing after them.
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
        // The reading thread notices a client that has exited.
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
    use parking_lot::Mutex;
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
    fn after_the_hush_answers_are_written_and_notifications_are_not() {
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
}
