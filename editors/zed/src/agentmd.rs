//! Makes Zed start `agentmd server` for Markdown.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

const SERVER: &str = "agentmd";

struct Agentmd;

impl zed::Extension for Agentmd {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let chosen = LspSettings::for_worktree(SERVER, worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments, own) = chosen.map_or((None, None, None), |binary| (binary.path, binary.arguments, binary.env));
        let command = path
            .or_else(|| worktree.which(SERVER))
            .ok_or("`agentmd` is not in the PATH. Install it, or set `lsp.agentmd.binary.path` in the settings.")?;
        let own = own.unwrap_or_default();
        let mut env = worktree.shell_env();
        env.retain(|(name, _)| !own.contains_key(name));
        env.extend(own);
        Ok(Command { command, args: arguments.unwrap_or_else(|| vec!["server".to_owned()]), env })
    }

    fn language_server_initialization_options(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Option<zed::serde_json::Value>> {
        Ok(LspSettings::for_worktree(SERVER, worktree).ok().and_then(|settings| settings.initialization_options))
    }

    fn language_server_workspace_configuration(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Option<zed::serde_json::Value>> {
        let settings = LspSettings::for_worktree(SERVER, worktree).ok().and_then(|settings| settings.settings);
        Ok(Some(zed::serde_json::json!({ SERVER: settings.unwrap_or_default() })))
    }
}

zed::register_extension!(Agentmd);
