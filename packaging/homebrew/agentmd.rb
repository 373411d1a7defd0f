class Agentmd < Formula
  desc "Language server and command-line for agent Markdown"
  homepage "https://github.com/agentmd/agentmd"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@URL:aarch64-apple-darwin@"
      sha256 "@SHA256:aarch64-apple-darwin@"
    end
    on_intel do
      url "@URL:x86_64-apple-darwin@"
      sha256 "@SHA256:x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@URL:aarch64-unknown-linux-musl@"
      sha256 "@SHA256:aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@URL:x86_64-unknown-linux-musl@"
      sha256 "@SHA256:x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "agentmd"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/agentmd.bash" => "agentmd"
    fish_completion.install "completions/agentmd.fish"
    zsh_completion.install "completions/agentmd.zsh" => "_agentmd"
  end

  test do
    (testpath/"SKILL.md").write "---\nname: tea\ndescription: Use when: brewing\n---\n"
    assert_match "agent/front-matter", shell_output("#{bin}/agentmd check SKILL.md --strict", 1)
  end
end
