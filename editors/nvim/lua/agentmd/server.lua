--- Reports a server that is missing, too old, or crashing.
local M = {}

--- The oldest version of the program that this plugin supports.
M.OLDEST = '0.1.0'
--- A server isn't restarted if it crashes more often than this within this many seconds.
local CRASHES, SECONDS = 3, 180

local ends = {}

---@param message string
---@param level integer
local function say(message, level)
  vim.notify('agentmd: ' .. message, level)
end

--- The names of JSON files in which names and paths can be renamed.
local JSON = {
  '/%.%a+%-plugin/plugin%.json$',
  '/%.%a+%-plugin/marketplace%.json$',
  '/%.github/plugin/%a+%.json$',
  '/%.claude/settings%.json$',
  '/%.claude/settings%.local%.json$',
  '/%.mcp%.json$',
  '/%.%a+/mcp%.json$',
  '/gemini%-extension%.json$',
}

--- Whether the server reads a buffer of one of its file types.
---@param buffer integer
---@return boolean
function M.is_served(buffer)
  local filetype, name = vim.bo[buffer].filetype, vim.fs.normalize(vim.api.nvim_buf_get_name(buffer))
  if filetype == 'yaml' then
    return name:find '%.test%.ya?ml$' ~= nil
  end
  if filetype == 'json' or filetype == 'jsonc' then
    return vim.iter(JSON):any(function(pattern)
      return name:find(pattern) ~= nil
    end)
  end
  return true
end

--- Reports a missing program once, because Neovim itself doesn't.
---@param buffer integer
---@return boolean? done whether this was a buffer that the server is for
function M.look_for_program(buffer)
  local config = vim.lsp.config.agentmd
  if not config or type(config.cmd) ~= 'table' or not vim.lsp.is_enabled 'agentmd' then
    return
  end
  local filetype = vim.bo[buffer].filetype
  if not M.is_served(buffer) then
    return
  end
  if not vim.list_contains(config.filetypes or {}, filetype) or vim.bo[buffer].buftype ~= '' then
    return
  end
  if vim.fn.executable(config.cmd[1]) == 0 then
    say(('`%s` is not on the PATH; :checkhealth agentmd shows what to do'):format(config.cmd[1]), vim.log.levels.WARN)
  end
  return true
end

---@param client vim.lsp.Client
function M.on_init(client)
  local version = vim.version.parse(vim.tbl_get(client, 'server_info', 'version') or '')
  if version and vim.version.lt(version, M.OLDEST) then
    say(('version %s is too old; this plugin needs %s or newer'):format(version, M.OLDEST), vim.log.levels.WARN)
  end
end

--- Restarts a crashed server, unless it keeps crashing.
---@param code integer
---@param signal integer
function M.on_exit(code, signal)
  local asked = code == 0 and (signal == 0 or signal == vim.uv.constants.SIGTERM)
  if asked then
    return
  end
  -- Neovim must first handle the exit and forget the client.
  vim.defer_fn(function()
    local now = vim.uv.now() / 1000
    ends = vim.tbl_filter(function(at)
      return now - at < SECONDS
    end, ends)
    ends[#ends + 1] = now
    if #ends > CRASHES then
      say(("the server crashed %d times, so it isn't restarted; :AgentmdLog shows why, :AgentmdRestart starts it"):format(#ends), vim.log.levels.ERROR)
    elseif vim.lsp.is_enabled 'agentmd' and #vim.lsp.get_clients { name = 'agentmd' } == 0 then
      M.start()
      say('the server crashed and was restarted', vim.log.levels.WARN)
    end
  end, 200)
end

--- Lets Neovim start the server for all its buffers.
function M.start()
  vim.lsp.enable('agentmd', false)
  vim.lsp.enable 'agentmd'
end

--- Restarts the server.
function M.restart()
  ends = {}
  vim.lsp.stop_client(vim.lsp.get_clients { name = 'agentmd' })
  vim.wait(3000, function()
    return #vim.lsp.get_clients { name = 'agentmd' } == 0
  end, 20)
  M.start()
end

return M
