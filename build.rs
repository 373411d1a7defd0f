//! Tells the program the target that it is built for, which the compiler doesn't, and packs the
//! vocabulary that `cost` counts with.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=AGENTMD_TARGET={target}");
    #[cfg(feature = "tokenizers")]
    {
        let folder = std::env::var_os("OUT_DIR").expect("cargo sets it");
        let file = std::path::Path::new(&folder).join("o200k.deflate");
        std::fs::write(file, vocabulary()).expect("cargo has made the folder");
    }
}

/// The number of tokens, the length of each, and their bytes: 1 MB instead of the 3.6 MB in the
/// crate.
#[cfg(feature = "tokenizers")]
fn vocabulary() -> Vec<u8> {
    let known = tiktoken_rs::o200k_base().expect("the crate contains it");
    let (mut lengths, mut tokens) = (Vec::new(), Vec::new());
    while let Ok(token) = known.decode_bytes(&[lengths.len() as u32]) {
        lengths.push(u8::try_from(token.len()).expect("no token is that long"));
        tokens.extend(token);
    }
    let count = (lengths.len() as u32).to_le_bytes();
    miniz_oxide::deflate::compress_to_vec(&[&count[..], &lengths, &tokens].concat(), 9)
}
