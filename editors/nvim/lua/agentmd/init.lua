local M = {}

---@class agentmd.Options
---@field cmd? string[] The command that starts the server. Default: `{ 'agentmd', 'server' }`
---@field settings? table Settings with the same names as in `agentmd.toml`, which takes precedence.
---@field filetypes? string[] The file types that the server is started for
---@field root_markers? (string|string[])[] The files that mark the root of a project

--- Changes how the server is started. You don't need to call this to use the defaults.
---@param options? agentmd.Options
function M.setup(options)
  options = options or {}
  vim.validate('options', options, 'table')
  vim.validate('options.cmd', options.cmd, 'table', true)
  vim.validate('options.settings', options.settings, 'table', true)

  local config = {
    cmd = options.cmd,
    filetypes = options.filetypes,
    root_markers = options.root_markers,
  }
  if options.settings and next(options.settings) then
    config.settings = { agentmd = options.settings }
  end
  vim.lsp.config('agentmd', config)
end

return M
