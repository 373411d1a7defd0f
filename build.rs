//! Tells the program the target that it is built for, which the compiler doesn't.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=AGENTMD_TARGET={target}");
}
