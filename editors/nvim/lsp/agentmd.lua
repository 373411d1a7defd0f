-- How Neovim starts the server. `vim.lsp.config('agentmd', { … })` or `require('agentmd').setup { … }` change parts of it.
return {
  cmd = { 'agentmd', 'server' },
  filetypes = { 'markdown', 'markdown.mdx' },
  root_markers = { 'agentmd.toml', '.git' },
  -- An empty table would be sent as a list.
  settings = { agentmd = vim.empty_dict() },
}
