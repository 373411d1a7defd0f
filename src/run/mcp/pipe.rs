//! The transport over stdin and stdout: one message per line.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};

use super::inbox::{Inbox, LONGEST};

/// The number of bytes to keep of the end of a line that is too long.
const TAIL: usize = 4_096;

/// A connection.
#[derive(Debug)]
pub struct Pipe {
    output: BufReader<ChildStdout>,
    input: Arc<tokio::sync::Mutex<Option<ChildStdin>>>,
    inbox: Arc<Mutex<Inbox>>,
    line: Vec<u8>,
    /// The end of a line whose beginning is in `line` already.
    tail: Option<VecDeque<u8>>,
    waiting: VecDeque<RxJsonRpcMessage<RoleClient>>,
}

impl Pipe {
    pub fn new(output: ChildStdout, input: ChildStdin) -> Self {
        Self {
            output: BufReader::new(output),
            input: Arc::new(tokio::sync::Mutex::new(Some(input))),
            inbox: Arc::default(),
            line: Vec::new(),
            tail: None,
            waiting: VecDeque::new(),
        }
    }

    /// Reads up to the next line break, and returns false at the end. If it's cancelled, the next
    /// call continues.
    async fn read_line(&mut self) -> bool {
        loop {
            let Ok(bytes) = self.output.fill_buf().await else { return false };
            if bytes.is_empty() {
                return false;
            }
            let end = memchr::memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            let bytes = bytes.get(..taken).unwrap_or_default();
            if let Some(tail) = &mut self.tail {
                tail.extend(bytes);
                let more = tail.len().saturating_sub(TAIL);
                tail.drain(..more);
            } else {
                self.line.extend_from_slice(bytes);
                if self.line.len() > LONGEST {
                    let start = self.line.len().saturating_sub(TAIL);
                    self.tail = Some(self.line.iter().skip(start).copied().collect());
                    self.line.truncate(TAIL);
                    self.line.shrink_to_fit();
                }
            }
            self.output.consume(taken);
            if end.is_some() {
                return true;
            }
        }
    }
}

impl Transport<RoleClient> for Pipe {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let value = serde_json::to_value(&message);
        if let Ok(value) = &value {
            self.inbox.lock().sent(value);
        }
        let input = Arc::clone(&self.input);
        async move {
            let line = format!("{}\n", value?);
            let mut input = input.lock().await;
            let closed = || std::io::Error::from(std::io::ErrorKind::NotConnected);
            let input = input.as_mut().ok_or_else(closed)?;
            input.write_all(line.as_bytes()).await?;
            input.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some(message);
            }
            if !self.read_line().await {
                return None;
            }
            match self.tail.take() {
                Some(tail) => {
                    let tail: Vec<u8> = tail.into_iter().collect();
                    self.waiting.extend(self.inbox.lock().too_long(&self.line, &tail));
                }
                // A line that isn't a message is ignored: some servers log to stdout.
                None => self.waiting.extend(self.inbox.lock().read(&self.line)),
            }
            self.line.clear();
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.input.lock().await.take();
        Ok(())
    }
}
