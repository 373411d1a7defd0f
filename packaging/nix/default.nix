# nix-build, or a flake's `callPackage`: the program of the release.
{ lib, stdenvNoCC, fetchurl, installShellFiles }:

let
  archives = {
    x86_64-linux = { url = "@URL:x86_64-unknown-linux-musl@"; sha256 = "@SHA256:x86_64-unknown-linux-musl@"; };
    aarch64-linux = { url = "@URL:aarch64-unknown-linux-musl@"; sha256 = "@SHA256:aarch64-unknown-linux-musl@"; };
    x86_64-darwin = { url = "@URL:x86_64-apple-darwin@"; sha256 = "@SHA256:x86_64-apple-darwin@"; };
    aarch64-darwin = { url = "@URL:aarch64-apple-darwin@"; sha256 = "@SHA256:aarch64-apple-darwin@"; };
  };
in
stdenvNoCC.mkDerivation {
  pname = "agentmd";
  version = "@VERSION@";
  src = fetchurl archives.${stdenvNoCC.hostPlatform.system};
  nativeBuildInputs = [ installShellFiles ];
  dontConfigure = true;
  dontBuild = true;
  installPhase = ''
    install -Dm755 agentmd -t $out/bin
    installManPage man/*.1
    installShellCompletion completions/agentmd.{bash,fish,zsh}
  '';
  meta = {
    description = "A language server and command line for agent markdown";
    homepage = "https://github.com/agentmd/agentmd";
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "agentmd";
    platforms = builtins.attrNames archives;
  };
}
