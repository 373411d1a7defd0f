//! Two threads take turns at reading. When a message asks for work and no other has arrived yet, the
//! thread that read it does the work, which needs no other thread to wake up for it, and the other
//! one reads on: reading never waits for work. Otherwise the pool does the work.

use std::io::{self, BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;

use parking_lot::{Condvar, Mutex};

use super::pool::{self, Work};
use super::reader::read_frame;
use super::transport::{End, Transport};

/// Belongs to the thread whose turn it is.
struct Turn {
    transport: Transport,
    input: BufReader<Box<dyn Read + Send>>,
}

struct State {
    /// `None` while a thread has it, and when reading is over.
    turn: Option<Turn>,
    over: bool,
    /// How many threads wait for their turn.
    waiting: usize,
}

struct Turns {
    state: Mutex<State>,
    news: Condvar,
    runtime: tokio::runtime::Handle,
}

/// Reads until the client sends `exit` or its stream ends.
///
/// # Errors
/// If threads can't be started or the stream can't be read.
pub(super) fn serve(transport: Transport, input: impl Read + Send + 'static) -> io::Result<End> {
    let runtime = transport.runtime();
    let input: Box<dyn Read + Send> = Box::new(input);
    let turn = Turn { transport, input: BufReader::with_capacity(1 << 16, input) };
    let state = State { turn: Some(turn), over: false, waiting: 0 };
    let turns = Arc::new(Turns { state: Mutex::new(state), news: Condvar::new(), runtime });
    let (ended, end) = mpsc::channel();
    for _ in 0..2 {
        let (turns, ended) = (Arc::clone(&turns), ended.clone());
        let take = move || {
            if let Some(end) = turns.take() {
                // There's no receiver if the process is already exiting.
                let _ = ended.send(end);
            }
        };
        let thread = thread::Builder::new().name("reader".to_owned()).stack_size(pool::STACK);
        thread.spawn(take)?;
    }
    drop(ended);
    end.recv().unwrap_or(Ok(End::Stream))
}

impl Turns {
    /// Takes turns until reading is over. Returns how it ended to the thread that saw it.
    fn take(&self) -> Option<io::Result<End>> {
        let _context = self.runtime.enter();
        loop {
            let mut turn = self.wait()?;
            let is_relieved = || self.state.lock().waiting > 0;
            // A thread that ends with the turn would leave everybody waiting for it.
            let read = catch_unwind(AssertUnwindSafe(|| turn.read(is_relieved)));
            match read.unwrap_or_else(|_| Err(Err(io::Error::other("reading failed")))) {
                Ok(work) => {
                    self.state.lock().turn = Some(turn);
                    self.news.notify_one();
                    work();
                }
                Err(end) => {
                    self.state.lock().over = true;
                    self.news.notify_all();
                    return Some(end);
                }
            }
        }
    }

    /// `None` when reading is over.
    fn wait(&self) -> Option<Turn> {
        let mut state = self.state.lock();
        while state.turn.is_none() && !state.over {
            state.waiting += 1;
            self.news.wait(&mut state);
            state.waiting -= 1;
        }
        state.turn.take()
    }
}

impl Turn {
    /// Reads until there is work for this thread, which it does after its turn. `Err` when reading
    /// is over.
    fn read(&mut self, is_relieved: impl Fn() -> bool) -> Result<Work, io::Result<End>> {
        loop {
            let frame = read_frame(&mut self.input).map_err(Err)?;
            let (handled, handed_in) = pool::gather(|| self.transport.take_in_frame(frame));
            let end = handled.unwrap_or_else(|_| {
                tracing::error!("a message could not be handled");
                None
            });
            let alone = !handed_in.is_empty() && self.input.buffer().is_empty() && end.is_none();
            let mut handed_in = handed_in.into_iter();
            let own = if alone && is_relieved() { handed_in.next() } else { None };
            handed_in.for_each(pool::start);
            match (end, own) {
                (Some(end), _) => return Err(Ok(end)),
                (None, Some(own)) => return Ok(own),
                (None, None) => {}
            }
        }
    }
}
