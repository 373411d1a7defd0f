local M = {}

---@class agentmd.Options
---@field cmd? string[] The command that starts the server. Default: `{ 'agentmd', 'server' }`
---@field settings? table What could stand in an `agentmd.toml`, with the same names. Such a file wins where there is one.
---@field filetypes? string[] The file types that the server is started for
---@field root_markers? (string|string[])[] The files that mark the root of a project

--- Changes how the server is started. Nothing needs this call: without it, the defaults hold.
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
