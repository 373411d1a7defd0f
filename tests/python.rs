//! The tool `python` (MDL-30): code runs and can't escape the sandbox. Needs the component that
//! `scripts/python.sh` builds, or one that `AGENTMD_PYTHON` names.

#![cfg(feature = "python")]

#[path = "support/needs.rs"]
mod needs;

use std::time::{Duration, Instant};

use agentmd::run::python::{self, Limits, Ran};

/// Runs code; `None` if the component is missing and that is allowed.
fn run(code: &str, limits: Limits) -> Option<Ran> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    if let Err(missing) = runtime.block_on(python::verify()) {
        needs::missing("python-component", &missing.to_string());
        return None;
    }
    Some(runtime.block_on(python::run(code, &limits)).unwrap())
}

fn ran(code: &str) -> Option<Ran> {
    run(code, Limits { time: Duration::from_secs(10), ..Limits::default() })
}

/// Checks that the code prints this and ends without an error.
#[track_caller]
fn prints(code: &str, expected: &str) {
    let Some(ran) = ran(code) else { return };
    assert_eq!((ran.stdout.as_str(), &ran.error), (expected, &None), "{code}: {}", ran.stderr);
}

/// Checks that the code fails with this error.
#[track_caller]
fn fails(code: &str, error: &str) {
    let Some(ran) = ran(code) else { return };
    let found = ran.error.clone().unwrap_or_default();
    assert!(found.starts_with("execution failed: ") && found.contains(error), "{code}: {ran:?}");
}

#[test]
fn mdl_30_python_has_the_limits_of_the_specification() {
    let limits = Limits::default();
    assert_eq!((limits.time, limits.memory), (Duration::from_secs(30), 128 << 20));
}

#[test]
fn mdl_30_python_runs_code() {
    prints("print('Hello, World!')", "Hello, World!\n");
    prints("", "");
    prints(
        "import statistics, json\nprint(json.dumps({'mean': statistics.mean([1, 2, 6])}))",
        "{\"mean\": 3}\n",
    );
    prints("print('é🦆 日')", "é🦆 日\n");
    prints(
        "import datetime, re, math, decimal\nprint(re.sub('a', 'b', 'aa'), math.pi)",
        "bb 3.141592653589793\n",
    );
    prints(
        "def f(n):\n  return 1 if n < 2 else n * f(n - 1)\nprint(f(20))",
        "2432902008176640000\n",
    );
    prints("import sys\nsys.exit(0)", "");
    prints("import sys\nsys.exit()", "");
}

#[test]
fn mdl_30_python_gives_json_with_stdout_stderr_and_error() {
    let Some(found) = ran("import sys\nprint('out')\nprint('err', file=sys.stderr)") else {
        return;
    };
    assert_eq!(found.to_json().to_string(), r#"{"stdout":"out\n","stderr":"err\n","error":null}"#);
    let Some(found) = ran("print('before')\nx = 1 / 0") else { return };
    assert_eq!(found.stdout, "before\n");
    assert_eq!(
        found.error.as_deref(),
        Some("execution failed: ZeroDivisionError: division by zero")
    );
    assert!(found.stderr.starts_with("Traceback (most recent call last):\n"), "{}", found.stderr);
    assert!(
        found.stderr.contains("line 2") && !found.stderr.contains("app.py"),
        "{}",
        found.stderr
    );
    fails("print('a'\n", "SyntaxError");
    fails("import sys\nsys.exit(3)", "exit status 3");
    fails("raise KeyboardInterrupt", "KeyboardInterrupt");
    fails("x = '\\0'\nexec('\\0')", "");
}

#[test]
fn mdl_30_nothing_is_kept_between_calls() {
    prints("import builtins\nbuiltins.kept = 1\nopen('kept', 'w').write('x')\nprint(1)", "1\n");
    prints("import builtins, os\nprint(hasattr(builtins, 'kept'), os.listdir('.'))", "False []\n");
    let random = "import random, os\nprint(random.random(), os.urandom(8).hex())";
    let (Some(one), Some(two)) = (ran(random), ran(random)) else { return };
    assert_ne!(one.stdout, two.stdout);
}

#[test]
fn mdl_30_python_has_a_temporary_folder() {
    prints(
        "import os, tempfile\nopen('a', 'w').write('é')\nprint(open('/tmp/a').read(), os.listdir('/tmp'), os.getcwd())\n\
         with tempfile.TemporaryDirectory() as d:\n  open(d + '/b', 'w').write('x')\nprint(os.path.exists(d))",
        "é ['a'] /tmp\nFalse\n",
    );
}

#[test]
fn mdl_30_python_reaches_no_file_outside() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    let attempt = r#"
import os
found = []
for path in PATHS:
    for attempt in (
        lambda: open(path).read(),
        lambda: open(path, "w").write("x"),
        lambda: os.listdir(path),
        lambda: os.stat(path),
        lambda: os.mkdir(path + ".new"),
        lambda: os.rename("/tmp/own", path + ".new"),
        lambda: os.link(path, "/tmp/link"),
        lambda: os.open(path, os.O_RDONLY),
    ):
        open("/tmp/own", "w").write("x")
        try:
            found.append((path, attempt()))
        except (OSError, ValueError):
            pass
print(found)
for target in PATHS:
    try:
        os.symlink(target, "/tmp/s")
        print(open("/tmp/s").read(), "through a link")
    except OSError:
        pass
    try:
        os.remove("/tmp/s")
    except OSError:
        pass
print(dict(os.environ))
"#;
    let secret = secret.to_str().unwrap();
    let up = format!("../../../../../../../..{secret}");
    let paths = format!(
        "PATHS = [{secret:?}, {up:?}, \"/tmp/..{secret}\", \"/etc/passwd\", \"/tmp/../etc/passwd\", \"/proc/self/environ\", \"/dev/zero\", \"../x\", \"/home\"]"
    );
    prints(&format!("{paths}{attempt}"), "[]\n{}\n");
    assert_eq!(std::fs::read_to_string(secret).unwrap(), "secret");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn mdl_30_python_has_no_network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    for code in [
        format!("import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)"),
        format!("import _socket\ns = _socket.socket(2, 1)\ns.connect(('127.0.0.1', {port}))"),
        format!("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:{port}')"),
        "import _socket\n_socket.getaddrinfo('example.com', 80)".to_owned(),
        "import asyncio\nasyncio.run(asyncio.open_connection('127.0.0.1', 80))".to_owned(),
    ] {
        fails(&code, "");
    }
    assert!(listener.accept().is_err(), "something connected");
}

#[test]
fn mdl_30_python_starts_no_process_or_thread() {
    for code in [
        "import subprocess\nsubprocess.run(['true'])",
        "import os\nos.system('true')",
        "import os\nos.fork()",
        "import os\nos.execv('/bin/true', ['true'])",
        "import os\nos.posix_spawn('/bin/true', ['true'], {})",
        "import os\nos.popen('true').read()",
        "import os\nos.kill(1, 9)",
        "import _thread\n_thread.start_new_thread(print, (1,))",
        "import multiprocessing\nmultiprocessing.Process(target=print).start()",
        "import ctypes\nctypes.CDLL(None).system(b'true')",
    ] {
        fails(code, "");
    }
}

#[test]
fn mdl_30_python_runs_out_of_memory() {
    fails("x = bytearray(1 << 30)", "MemoryError");
    fails("x = []\nwhile True: x.append('a' * 100000 + str(len(x)))", "MemoryError");
    fails("x = [0] * (10 ** 9)", "MemoryError");
    fails("x = 'a' * (1 << 31)", "");
    prints("x = bytearray(40 << 20)\nprint(len(x))", "41943040\n");
}

#[test]
fn mdl_30_python_runs_out_of_time() {
    for code in [
        "while True: pass",
        "import time\ntime.sleep(60)",
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "10 ** 10 ** 10",
        "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
        "sum(range(10 ** 12))",
    ] {
        let began = Instant::now();
        let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
        let Some(ran) = run(code, limits) else { return };
        let error = ran.error.unwrap_or_default();
        assert!(error.contains("timeout") || error.contains("MemoryError"), "{code}: {error}");
        assert!(began.elapsed() < Duration::from_secs(60), "{code}: {:?}", began.elapsed());
    }
}

#[test]
fn mdl_30_python_survives_recursion() {
    fails("def f(): f()\nf()", "RecursionError");
    fails("import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): f()\nf()", "");
    fails("class A:\n  def __repr__(self): return repr(self)\nrepr(A())", "");
    fails("x = []\nfor _ in range(10 ** 6): x = [x]\nprint(repr(x))", "");
    fails("eval('(' * 100000 + ')' * 100000)", "");
    // The next run isn't affected.
    prints("print(1)", "1\n");
}

#[test]
fn mdl_30_python_cannot_flood_its_output_or_the_disk() {
    let output = Limits::default().output;
    for code in [
        "while True: print('x' * 1000)",
        "import os\nwhile True: os.write(1, b'x' * 1000)",
        "import sys\nwhile True: sys.stderr.write('x' * 1000)",
        "while True:\n  try:\n    while True: print('x' * 1000)\n  except OSError: pass",
        "print('x' * (1 << 20))",
    ] {
        let Some(ran) = run(code, Limits { time: Duration::from_secs(3), ..Limits::default() })
        else {
            return;
        };
        let error = ran.error.unwrap_or_default();
        assert!(error.contains("printed more than"), "{code}: {error}");
        assert!(ran.stdout.len() <= output && ran.stderr.len() <= output, "{code}");
    }
    fails("raise ValueError('x' * 1000000)", "");
    let disk = Limits { disk: 4 << 20, files: 50, ..Limits::default() };
    for (code, error) in [
        (
            "f = open('a', 'wb')\nwhile True:\n  f.write(b'x' * 100000)\n  f.flush()",
            "wrote more than",
        ),
        ("f = open('a', 'wb')\nf.truncate(1 << 40)\nwhile True: pass", "wrote more than"),
        ("n = 0\nwhile True:\n  open(str(n), 'w').close()\n  n += 1", "files"),
        ("import os\np = ''\nwhile True:\n  p += 'd/'\n  os.mkdir(p)", "files"),
        ("x = []\nwhile True:\n  x.append(open('a', 'w'))", "files and streams open"),
    ] {
        let Some(ran) = run(code, disk) else { return };
        let found = ran.error.unwrap_or_default();
        assert!(found.contains(error) && !found.is_empty(), "{code}: {found:?}");
    }
}

#[test]
fn mdl_30_python_may_end_in_any_way() {
    fails("import os\nos._exit(3)", "exit status");
    fails("import os\nos.abort()", "the interpreter aborted");
    fails("input()", "EOFError");
    fails("import builtins\nfor name in list(vars(builtins)):\n  delattr(builtins, name)", "");
    fails("import traceback\ntraceback.print_exception = None\n1 / 0", "");
    fails("raise BaseException(chr(0xd800))", "");
    prints("import sys\nsys.stdout.close()\nsys.stderr.close()", "");
    let endless = "class E(Exception):\n  def __str__(self):\n    while True: pass\nraise E";
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let Some(ran) = run(endless, limits) else { return };
    assert!(ran.error.unwrap_or_default().contains("timeout"));
    prints("print(1)", "1\n");
}
