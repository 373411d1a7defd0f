//! `completions`.

use super::Folder;

#[test]
fn every_shell_gets_its_script() {
    let folder = Folder::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let answer = folder.run(&["completions", shell]);
        assert_eq!(answer.status, 0);
        for word in ["agentmd", "check", "stdin-path"] {
            assert!(answer.out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(folder.run(&["completions", "nosuchshell"]).status, 2);
}
