//! The sandbox: an interpreter in WebAssembly that lives for one program. It has a temporary folder,
//! a clock and random numbers, and nothing else of the machine.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wasmtime::component::{self, InstancePre, Linker, ResourceTable, ResourceTableError};
use wasmtime::{Cache, CacheConfig, Config, Engine, Store, StoreLimits, StoreLimitsBuilder, Trap};
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::component::Component;
use super::{Limits, Missing, Ran};

/// How often running code is interrupted to look at its limits.
const TICK: Duration = Duration::from_millis(10);
/// How often the temporary folder is measured.
const MEASURE: Duration = Duration::from_millis(50);
/// The limit of open files, directories and streams, which are the host's too.
const MOST_RESOURCES: usize = 200;
/// The limit of random bytes at once.
const MOST_RANDOM: u64 = 1 << 16;
/// The limit of an error's length, in bytes.
const LONGEST_ERROR: usize = 4000;

pub struct Sandbox {
    engine: Engine,
    interpreter: InstancePre<Host>,
}

struct Host {
    wasi: WasiCtx,
    table: ResourceTable,
    limits: StoreLimits,
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl Sandbox {
    /// Loads the component. Compiling it takes seconds, so the result is cached.
    pub fn load(component: &Component) -> Result<Self, Missing> {
        Self::new(&component.bytes).map_err(|error| Missing::Broken {
            path: component.path.clone(),
            why: format!("{error:#}"),
        })
    }

    fn new(bytes: &[u8]) -> wasmtime::Result<Self> {
        let mut config = Config::new();
        config.epoch_interruption(true).wasm_component_model(true);
        if let Some(folder) = crate::world::cache_folder() {
            let mut cache = CacheConfig::new();
            cache.with_directory(folder.join("python"));
            // It works without the cache, too.
            config.cache(Cache::new(cache).ok());
        }
        let engine = Engine::new(&config)?;
        let component = component::Component::from_binary(&engine, bytes)?;
        let mut linker = Linker::new(&engine);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
        let interpreter = linker.instantiate_pre(&component)?;
        Ok(Self { engine, interpreter })
    }

    /// Runs a program until it ends or exceeds a limit.
    pub async fn run(&self, code: &str, limits: &Limits) -> Ran {
        let folder = match tempfile::Builder::new().prefix("agentmd-python-").tempdir() {
            Ok(folder) => folder,
            Err(error) => return failed(format!("cannot make a temporary folder: {error}")),
        };
        let stdout = MemoryOutputPipe::new(limits.output);
        let stderr = MemoryOutputPipe::new(limits.output);
        let mut wasi = WasiCtxBuilder::new();
        wasi.stdout(stdout.clone())
            .stderr(stderr.clone())
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false)
            .max_random_size(MOST_RANDOM);
        if let Err(error) = wasi.preopened_dir(folder.path(), "/tmp", FsPerms::ReadWrite) {
            return failed(format!("cannot make a temporary folder: {error:#}"));
        }
        let mut table = ResourceTable::new();
        table.set_max_capacity(MOST_RESOURCES);
        let memory = StoreLimitsBuilder::new().memory_size(limits.memory).build();
        let mut store =
            Store::new(&self.engine, Host { wasi: wasi.build(), table, limits: memory });
        store.limiter(|host| &mut host.limits);
        store.set_epoch_deadline(1);
        store.epoch_deadline_async_yield_and_update(1);

        let _ticker = Ticker::start(self.engine.clone());
        let error = tokio::select! {
            error = self.execute(&mut store, code) => error,
            () = tokio::time::sleep(limits.time) => {
                Some(format!("timeout: the code ran for more than {} seconds", limits.time.as_secs_f32()))
            }
            why = outgrown(folder.path(), limits) => Some(why),
        };
        drop(store);
        let text = |pipe: &MemoryOutputPipe| String::from_utf8_lossy(&pipe.contents()).into_owned();
        let (stdout, stderr) = (text(&stdout), text(&stderr));
        let full = |text: &String| text.len() >= limits.output;
        let error = match full(&stdout) || full(&stderr) {
            true => Some(format!("it printed more than {} bytes", limits.output)),
            false => error,
        };
        Ran { stdout, stderr, error: error.map(|why| format!("execution failed: {why}")) }
    }

    /// Why the code failed.
    async fn execute(&self, store: &mut Store<Host>, code: &str) -> Option<String> {
        let outcome = async {
            let instance = self.interpreter.instantiate_async(&mut *store).await?;
            let run =
                instance.get_typed_func::<(&str,), (Result<(), String>,)>(&mut *store, "run")?;
            run.call_async(&mut *store, (code,)).await
        };
        match outcome.await {
            Ok((Ok(()),)) => None,
            Ok((Err(error),)) => Some(shortened(&error)),
            Err(error) => Some(shortened(&stopped(&error))),
        }
    }
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Sandbox").finish_non_exhaustive()
    }
}

/// Why the interpreter ended before its program did.
fn stopped(error: &wasmtime::Error) -> String {
    if let Some(ResourceTableError::Full) = error.downcast_ref() {
        return format!("it had more than {MOST_RESOURCES} files and streams open");
    }
    match error.downcast_ref() {
        Some(Trap::UnreachableCodeReached) => "the interpreter aborted".to_owned(),
        _ => error.root_cause().to_string(),
    }
}

fn failed(why: String) -> Ran {
    Ran { error: Some(format!("execution failed: {why}")), ..Ran::default() }
}

fn shortened(text: &str) -> String {
    text.get(..text.floor_char_boundary(LONGEST_ERROR)).unwrap_or_default().to_owned()
}

/// Interrupts running code, so that it can be stopped.
struct Ticker(Arc<AtomicBool>);

impl Ticker {
    fn start(engine: Engine) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&done);
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
                engine.increment_epoch();
            }
        });
        Self(done)
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns when the temporary folder is too large.
async fn outgrown(folder: &Path, limits: &Limits) -> String {
    loop {
        tokio::time::sleep(MEASURE).await;
        let (mut bytes, mut files) = (0, 0);
        measure(folder, &mut bytes, &mut files, limits.files);
        if bytes > limits.disk {
            return format!("it wrote more than {} bytes of files", limits.disk);
        }
        if files > limits.files {
            return format!("it made more than {} files", limits.files);
        }
    }
}

fn measure(folder: &Path, bytes: &mut u64, files: &mut usize, most: usize) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        *files += 1;
        let Ok(about) = entry.metadata() else { continue };
        if *files > most {
            return;
        }
        match about.is_dir() {
            true => measure(&entry.path(), bytes, files, most),
            false => *bytes = bytes.saturating_add(about.len()),
        }
    }
}
