---@brief
---
--- https://github.com/agentmd/agentmd
---
--- Language server for agent Markdown: skills, agents, commands, prompts, rules and memory files, typed prompt programs, and
--- replies with edits. `agentmd` has to be on the `PATH`.
---
--- Settings have the same names as in `agentmd.toml`, which takes precedence:
---
--- ```lua
--- vim.lsp.config('agentmd', {
---   init_options = { ignore = { 'markdownlang/unknown-field' } },
--- })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'agentmd', 'server' },
  filetypes = { 'markdown', 'markdown.mdx' },
  root_markers = { 'agentmd.toml', '.git' },
}
