-- How Neovim starts the server. `vim.lsp.config('agentmd', { … })` or `require('agentmd').setup { … }` change parts of it.
return {
  cmd = { 'agentmd', 'server' },
  filetypes = { 'markdown', 'markdown.mdx' },
  root_markers = { 'agentmd.toml', '.git' },
  -- An empty table would be sent as a list.
  settings = { agentmd = vim.empty_dict() },
  -- So that the first look at a file knows them already.
  before_init = function(params, config)
    params.initializationOptions = vim.tbl_get(config, 'settings', 'agentmd')
  end,
}
